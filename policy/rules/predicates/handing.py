"""Whether a secret that a command prints is handed to what needs it, and so neither shown nor sent away."""

from __future__ import annotations

from policy.rules.fact import NO, YES, FactResult
from policy.rules.predicates.disclosure import to_file
from policy.rules.predicates.surroundings import command_of, pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Command, Invocation, Reading, Word
    from policy.rules.fact import Question
    from policy.world import World

TAKERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "skopeo", "oras", "crane", "regctl", "cosign", "helm"), ("login", "--password-stdin")),
    **dict.fromkeys(("gh", "glab"), ("--with-token", "--stdin", "secret")),
    **dict.fromkeys(("kubectl", "oc"), ("apply", "create", "replace")),
    "vault": ("write", "login", "put"),
    "gpg": ("--import", "--encrypt", "-e"),
    **dict.fromkeys(("ssh-add", "pbcopy", "xclip", "xsel", "wl-copy", "wc", "sha256sum", "age"), ()),
}  # fmt: skip
"""What takes a secret from its input: with one of these words, or (none named) always."""
PRINTERS = frozenset(
    {
        "echo", "printf", "print", "cat", "tee", "logger", "wall", "jq", "base64", "env", "printenv", "head", "tail", "grep", "sed", "awk", "tr", "cut",
        "sort", "xxd", "od", "python", "python3", "node", "perl", "ruby", "php", "bash", "sh", "zsh", "eval",
    }
)  # fmt: skip
"""What shows its words or its input, code that may print them included."""
SENDERS = frozenset({"curl", "wget", "http", "https", "xh", "nc", "ncat", "socat", "ssh", "scp", "mail", "sendmail", "telnet"})  # fmt: skip
HEADERS = ("--header", "--user", "--oauth2-bearer")
"""Options of those that send whose value is a login, not what is sent."""
DECLARING = frozenset({"export", "local", "declare", "readonly", "typeset"})


def handed_on(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """Its output goes into a file, into a program that takes secrets, or into words and variables that are not printed."""
    if to_file(invocation):
        return YES
    following = pipeline(reading, invocation, after=True)
    if following:
        return YES if _takes(following[-1]) and all(one.program != "tee" for one in following) else NO
    own = command_of(reading, invocation)
    around = None if own is None else _around(own, reading)
    if own is None or around is None:
        return NO
    return YES if _kept(own, around, reading) else NO


def _takes(taker: Invocation) -> bool:
    words = TAKERS.get(taker.program)
    return words is not None and (not words or any(value.text in words for value in taker.words[1:]))


def _around(own: Command, reading: Reading) -> Command | None:
    """The command in whose words, assignments or redirections this one is substituted."""
    if reading.script is None or not any(frame.kind == "substitution" for frame in own.context):
        return None
    outer = [c for c in reading.script.commands if c is not own and _inside(own.span, c.span)]
    return min(outer, key=lambda c: c.span[1] - c.span[0], default=None)


def _inside(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _kept(own: Command, around: Command, reading: Reading) -> bool:
    """Whether what is substituted there stays unseen."""
    program = around.words[0].value if around.words else ""
    if program in DECLARING or not around.words:
        names = [a.name for a in around.assignments if _inside(own.span, a.word.span)]
        names += [w.raw.partition("=")[0] for w in around.words if _inside(own.span, w.span)]
        return not any(_shows(command, name) for command in _commands(reading) for name in names)
    if program is None or program in PRINTERS:
        return False
    return program not in SENDERS or _in_headers(around, lambda word: _inside(own.span, word.span))


def _commands(reading: Reading) -> tuple[Command, ...]:
    return () if reading.script is None else reading.script.commands


def _shows(command: Command, name: str) -> bool:
    """Whether a command prints the variable, or sends it away in anything but a header."""

    def holds(word: Word) -> bool:
        return f"${name}" in word.raw or f"${{{name}" in word.raw

    program = command.words[0].value if command.words else ""
    if program in PRINTERS:
        fed = (r.body for r in command.redirects if r.body is not None)
        return any(map(holds, (*command.words, *fed)))
    return program in SENDERS and any(map(holds, command.words)) and not _in_headers(command, holds)


def _in_headers(command: Command, holds: Callable[[Word], bool]) -> bool:
    """Whether every word that holds it is a header's or a login's."""
    before = (None, *command.words)
    return all(
        (first is not None and _names_header(first.value or "")) or word.raw.startswith(("-H", "--header=", "-u"))
        for first, word in zip(before, command.words, strict=False)
        if holds(word)
    )


def _names_header(text: str) -> bool:
    return text in HEADERS or (text[:1] == "-" and text[1:2] != "-" and text[-1:] in ("H", "u"))
