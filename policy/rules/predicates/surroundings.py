"""What stands around a command in the request: pipes, input, loops, the background."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Command, Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

FEEDING = ("<", "<<", "<<-", "<<<", "<>", "<&")
FILTERS = ("grep", "egrep", "fgrep", "rg", "wc", "cut", "awk", "gawk", "sed", "head", "tail")
TRANSPARENT = ("group", "subshell", "if", "not", "time", "pipe", "for", "case", "function")
PLAIN_LAUNCHERS = frozenset(
    {
        "eval",
        "timeout",
        "sudo",
        "doas",
        "env",
        "command",
        "exec",
        "time",
        "nice",
        "nohup",
        "ionice",
        "stdbuf",
        "builtin",
        "bash",
        "sh",
        "zsh",
        "nsenter",
        "unshare",
        "chroot",
        "su",
        "trap",
        "alias",
        "source",
        ".",
        "python",
        "perl",
        "ruby",
    }
)

PASSING: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **dict.fromkeys(("ssh", "autossh"), ((), ("-n", "-f", "-N"))),
    "mosh": ((), ()),
    **dict.fromkeys(("docker", "podman", "nerdctl"), (("--interactive",), ("--detach",))),
    **dict.fromkeys(("docker-compose", "podman-compose", "lxc"), ((), ("--detach",))),
    "kubectl": (("--stdin",), ()),
}
"""Launchers of commands elsewhere: options with which their input is handed on (none: always), and options with which it is not."""


def command_of(reading: Reading, invocation: Invocation) -> Command | None:
    """The simple command in the request's text that starts this invocation."""
    if reading.script is None or invocation.span is None:
        return None
    return next((c for c in reading.script.commands if c.span == invocation.span), None)


def _pipe(command: Command) -> tuple[int, int] | None:
    """Number of the innermost pipeline and the place in it."""
    frame = next((f for f in reversed(command.context) if f.kind == "pipe"), None)
    return None if frame is None else (frame.number, int(frame.name or 0))


def pipeline(reading: Reading, invocation: Invocation, *, after: bool | None = None) -> tuple[Invocation, ...]:
    """The other members of its pipeline: all, or those after it, or (after=False) those before it."""
    own = command_of(reading, invocation)
    if invocation.launched_by or own is None or reading.script is None:
        return _neighbours(reading, invocation, after=after)
    place = _pipe(own)
    if place is None:
        return ()
    spans = {}
    for command in reading.script.commands:
        other = _pipe(command)
        if (
            other
            and other[0] == place[0]
            and (after is None or (other[1] > place[1]) is after)
            and other[1] != place[1]
        ):
            spans[command.span] = other[1]
    return tuple(i for i in reading.invocations if i.span in spans)


def _neighbours(reading: Reading, invocation: Invocation, *, after: bool | None) -> tuple[Invocation, ...]:
    """The same inside text that is not the request's own: by the names of what is piped to and from it, among commands started alongside."""
    before = invocation.piped_from if after is not True else ()
    behind = invocation.piped_to if after is not False else ()
    alongside = (
        i
        for i in reading.invocations
        if i is not invocation and i.span == invocation.span and i.launched_by == invocation.launched_by
    )
    return tuple(i for i in alongside if i.program in before or i.program in behind)


def fed(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """Something is fed to its standard input: a pipe, a file, a here-document, or nothing that could be waited for."""
    if any(name in PASSING and not _hands_on(name, invocation, reading) for name in invocation.launched_by):
        return FactResult(True)
    if invocation.stdin is not None or invocation.piped_from or any(e.kind == "read" for e in invocation.redirects):
        return FactResult(True)
    command = command_of(reading, invocation)
    redirects = () if command is None else (*command.redirects, *(r for f in command.context for r in f.redirects))
    if any(r.operator in FEEDING and r.descriptor in ("", "0") for r in redirects):
        return FactResult(True)
    return FactResult(
        command is not None and _pipe(command) is not None and bool(pipeline(reading, invocation, after=False))
    )


def piped(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """Its output goes into another program."""
    return FactResult(bool(pipeline(reading, invocation, after=True)))


def piped_to_head(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """Something after it in the pipeline stops reading and so ends it."""
    return FactResult(
        any(
            i.program in ("head", "sed", "timeout") or i.has("--max-count", "-m")
            for i in pipeline(reading, invocation, after=True)
        )
    )


def filtered_output(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """The next program in the pipeline lets only some of it through, and not just the lines that name a secret."""
    following = pipeline(reading, invocation, after=True)
    if not following or following[0].program not in FILTERS:
        return NO
    first = following[0]
    looks = "grep" in first.program or first.program in ("rg", "ag", "ack")
    kept = looks and not first.has("--count", "--quiet", "--invert-match") and not _names_alone(following[1:])
    return FactResult(not (kept and any(_secret(value.text or value.known) for value in first.words[1:])))


def _names_alone(following: tuple[Invocation, ...]) -> bool:
    return any(one.program in ("cut", "wc", "awk", "sed") for one in following)


def _secret(pattern: str) -> bool:
    folded = pattern.upper()
    return any(
        word in folded for word in ("TOKEN", "SECRET", "PASSW", "API_KEY", "APIKEY", "CREDENTIAL", "PRIVATE_KEY")
    )


def in_background(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """The shell does not wait for it."""
    command = command_of(reading, invocation)
    background = command is not None and any(f.kind in ("background", "coproc") for f in command.context)
    return FactResult(
        background
        or any(
            name in ("tmux", "screen", "setsid", "systemd-run", "start-stop-daemon") for name in invocation.launched_by
        )
    )


def in_reading_loop(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """It stands in the body of a `while read` loop and its own input is not redirected."""
    command = command_of(reading, invocation)
    if command is None or reading.script is None or any(r.operator in FEEDING for r in command.redirects):
        return NO
    loops = {f.number for f in command.context if f.kind == "loop" and f.part != "condition"}
    for other in reading.script.commands:
        head = other.words[0].value if other.words else None
        if head == "read" and any(f.number in loops and f.part == "condition" for f in other.context):
            return FactResult(True)
    return NO


def waits_for_terminal(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """It stands alone at the top of the request, so that nothing can reach its standard input."""
    command = command_of(reading, invocation)
    alone = (
        command is not None
        and all(f.kind in TRANSPARENT for f in command.context)
        and all(name in PLAIN_LAUNCHERS or _hands_on(name, invocation, reading) for name in invocation.launched_by)
    )
    return FactResult(alone and not invocation.unknown)


def _hands_on(launcher: str, invocation: Invocation, reading: Reading) -> bool:
    """Whether a launcher gives its own standard input to what it starts elsewhere: ssh unless told otherwise, a container's door with -i."""
    if launcher not in PASSING:
        return False
    started = (one for one in reading.invocations if one.span == invocation.span and one.program == launcher)
    wanted, unwanted = PASSING[launcher]
    return any(
        not one.has(*unwanted) and (not wanted or one.has(*wanted) or one.subcommand.startswith("compose "))
        for one in started
    )


def fork_bomb(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """A function of the request starts itself in a pipe or in the background."""
    if invocation.piped_from or invocation.piped_to:
        return FactResult(True, (invocation.words[0].text or "",), 1)
    if reading.script is None:
        return NO
    for command in reading.script.commands:
        head = command.words[0].value if command.words else None
        inside = any(f.kind == "function" and f.name == head for f in command.context)
        if head and inside and any(f.kind in ("pipe", "background") for f in command.context):
            return FactResult(True, (head,), 1)
    return NO
