"""How surely an earlier command of a request has run, and succeeded, when a later one does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Command, Invocation, Reading, Script

ALONG = ("&&", "|", "|&")
APART = ("||", "&")


def joined(one: Invocation, before: Invocation, reading: Reading) -> str:
    """How surely `one` has run when `before` does: "and" (only if it succeeded), "then" (whatever became of it), "maybe".

    A command may stand in a text that a command of the request starts (`bash -c '…'`): its place there counts too.
    """
    if one.span is None or before.span is None or reading.script is None:
        return "maybe"
    if one.span == before.span:
        text = reading.texts.get(one.span)
        return "maybe" if text is None else _between(text.commands, _inside(text, one), _inside(text, before))
    commands = reading.script.commands
    first = next((at for at, command in enumerate(commands) if command.span == one.span), None)
    last = next((at for at, command in enumerate(commands) if command.span == before.span), None)
    outer = _between(commands, first, last)
    if outer == "maybe" or one.span not in reading.texts:
        return outer
    return _out_of(reading.texts[one.span], one, outer)


def _inside(text: Script, one: Invocation) -> int | None:
    """Which command of the text an invocation is, by its words as they are written; None when that cannot be told."""
    raw = [word.raw for word in one.words]
    found = [at for at, command in enumerate(text.commands) if [word.raw for word in command.words] == raw]
    return found[0] if len(found) == 1 else None


def _out_of(text: Script | None, one: Invocation, outer: str) -> str:
    """What is left of `outer`, which the whole text is to the later command, for one of the text's commands."""
    at = None if text is None else _inside(text, one)
    if text is None or at is None:
        return "maybe"
    command, behind = text.commands[at], text.commands[at + 1 :]
    if command.joiner in APART or loose(command, None) or any(other.joiner == "&" for other in behind):
        return "maybe"
    if outer == "and" and all(other.joiner in ALONG for other in behind):
        return "and"
    return "maybe" if command.joiner in ALONG else "then"


def _between(commands: Sequence[Command], first: int | None, last: int | None) -> str:
    if first is None or last is None or first >= last:
        return "maybe"
    between = commands[first + 1 : last + 1]
    if loose(commands[first], commands[last]) or any(command.joiner in APART for command in between):
        return "maybe"
    if all(command.joiner in ALONG for command in between):
        return "and"
    return "maybe" if commands[first].joiner in ("&&", "||") else "then"


def loose(first: Command, last: Command | None) -> bool:
    """Whether `first` stands in a construct, not shared with `last`, that may leave it out."""
    shared = {frame.number for frame in last.context} if last is not None else set()
    return any(
        frame.number not in shared and frame.kind in ("if", "loop", "for", "case", "function", "background", "coproc")
        for frame in first.context
    )
