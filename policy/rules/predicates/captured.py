"""Secrets that a command prints only into the shell that asked for them: `export $(cat .env)`, `TOKEN=$(grep TOKEN .env) && curl -H …`."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.predicates.surroundings import command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.model import Command, Invocation, Reading, Redirect, Script, Word
    from policy.rules.fact import Question
    from policy.world import World

CAPTURING = ("substitution", "process")
FILTERS = frozenset(
    {
        "cat",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "sed",
        "awk",
        "gawk",
        "cut",
        "head",
        "tail",
        "tr",
        "xargs",
        "sort",
        "uniq",
        "jq",
        "yq",
    }
)
"""What only hands on what it reads, with nothing of its own on standard error, and no file but by a redirection."""
LOADING = frozenset({"export", "declare", "typeset", "local", "readonly"})
READING = frozenset({"source", ".", "eval"})
PRINTING = frozenset({"env", "printenv", "sh", "bash", "dash", "zsh", None})
HEADERS = ("-H", "--header", "-u", "--user", "-b", "--cookie")
WEB = frozenset({"curl", "wget", "http", "https", "xh"})
DATABASES = frozenset({"psql", "mysql", "mongosh", "redis-cli", "pg_dump", "mysqldump"})
TESTS = frozenset({"test", "[", "export", "readonly", "local", "unset"})


def captured(invocation: Invocation, _world: World, _question: Question, reading: Reading) -> FactResult:
    """Its output goes into variables that nothing in the request prints, or is read by the shell as its own text."""
    script, own = _place(invocation, reading)
    if script is None or own is None:
        return NO
    frame = next((frame.number for frame in own.context if frame.kind in CAPTURING), None)
    if frame is None or _traced(script.commands):
        return NO
    inner = [command for command in script.commands if any(f.number == frame for f in command.context)]
    owner = next((command for command in script.commands if _holds(command, frame)), None)
    if owner is None or not all(_quiet(command) for command in inner):
        return NO
    return FactResult(_loads(owner, frame) or _assigns(owner, frame, script.commands))


def _place(invocation: Invocation, reading: Reading) -> tuple[Script | None, Command | None]:
    """The text that the command stands in, which is the request or what `ssh HOST TEXT`, `bash -c TEXT` and the like are given, and the command there."""
    if not invocation.launched_by:
        return reading.script, command_of(reading, invocation)
    outer = [one for one in reading.invocations if one.span == invocation.span and not one.launched_by]
    if len(invocation.launched_by) != 1 or len(outer) != 1:
        return None, None
    from policy import shell

    mine = [value.text for value in invocation.words]
    for text in (
        value.text for value in outer[0].words[1:] if value.text and ("$(" in value.text or "`" in value.text)
    ):
        try:
            script = shell.parse(text, "sh")
        except shell.Unparsed:
            continue
        for command in script.commands:
            if [word.value for word in command.words] == mine:
                return script, command
    return None, None


def _holds(command: Command, frame: int) -> bool:
    words = (*command.words, *(assignment.word for assignment in command.assignments))
    return any(_asks(word, frame) for word in words)


def _asks(word: Word, frame: int) -> bool:
    return any(piece.kind in ("command", "process") and piece.frame == frame for piece in word.pieces)


def _quiet(command: Command) -> bool:
    """Whether it shows nothing beside its standard output, which is captured."""
    if not command.words or command.words[0].value not in FILTERS or command.joiner not in ("", "|"):
        return False
    return all(
        redirect.operator == "<" or (redirect.target and redirect.target.value == "/dev/null")
        for redirect in command.redirects
    )


def _traced(commands: Sequence[Command]) -> bool:
    """Whether the shell is told to print what it does."""
    return any(
        command.words[0].value == "set"
        and any((word.value or "-x")[:1] == "-" and "x" in (word.value or "x") for word in command.words[1:])
        for command in commands
        if command.words
    )


def _loads(owner: Command, frame: int) -> bool:
    words = owner.words
    name = words[0].value if words else None
    if owner.redirects or not words or _asks(words[0], frame):
        return False
    if name in READING:
        return len(words) == 2 and len(words[1].pieces) == 1
    if name == "env":
        last = max(at for at, word in enumerate(words) if _asks(word, frame))
        return last + 1 < len(words) and words[last + 1].value not in PRINTING
    return name in LOADING and not any((word.value or "")[:2] == "-p" for word in words[1:])


def _assigns(owner: Command, frame: int, commands: Sequence[Command]) -> bool:
    name = next((one.name for one in owner.assignments if _asks(one.word, frame)), None)
    if name is None or any(_asks(word, frame) for word in owner.words):
        return False
    return bool(owner.words) or all(_harmless(command, name) for command in commands)


def _harmless(command: Command, name: str) -> bool:
    """Whether a command does not show the variable: it tests or hands it on, or gives it to the service that it is for."""
    renamed = () if command.words else tuple(assignment.word for assignment in command.assignments)
    if any(_shows(word, name) for word in (*_bodies(command.redirects), *renamed)):
        return False
    places = [at for at, word in enumerate(command.words) if _shows(word, name)]
    program = command.words[0].value if command.words else None
    if not places or program in TESTS:
        return True
    if program in WEB:
        words = command.words
        return all(at and (words[at - 1].value in HEADERS or words[at].raw.startswith("--header=")) for at in places)
    return program in DATABASES


def _bodies(redirects: Sequence[Redirect]) -> Iterator[Word]:
    for redirect in redirects:
        for word in (redirect.body, redirect.target):
            if word is not None:
                yield word


def _shows(word: Word, name: str) -> bool:
    """Whether the word, or a text in it that is expanded later, holds the variable's value."""
    raw = word.raw if word.value is None or "$" not in (word.value or "") else word.value
    for part in raw.split("$")[1:]:
        braced = part.startswith("{")
        inside = part[1:].partition("}")[0] if braced else part
        rest = inside[len(name) :]
        whole = inside.startswith(name) and not (rest[:1].isalnum() or rest[:1] == "_")
        told = braced and rest.startswith((":+", "+"))
        if (whole and not told) or (braced and inside[:1] == "!"):
            return True
    return False
