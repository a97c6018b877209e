"""Substitutions of a script by their numbers, and what several commands print as one text."""

from __future__ import annotations

from policy.model import Command, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Script

NESTED = ("substitution", "process")


def nested(script: Script) -> dict[int, tuple[int, list[Command]]]:
    """The commands of every substitution by its number, with the depth of what stands directly in it."""
    frames: dict[int, tuple[int, list[Command]]] = {}
    for command in script.commands:
        for depth, frame in enumerate(command.context):
            if frame.kind in NESTED:
                frames.setdefault(frame.number, (depth + 1, []))[1].append(command)
    return frames


def joined_output(printed: Sequence[Value]) -> Value:
    """Several outputs in a row as one text."""
    text, glob = "", False
    for value in printed:
        if value.text is None:
            return Value(None, text + value.known)
        text += value.text
        glob = glob or value.glob
    return Value(text, text if not glob else "", glob)


def extent(commands: Sequence[Command], index: int, depth: int) -> int:
    """Where the construct at `depth` that holds the command at `index` ends among the commands; just behind it when there is none."""
    context = commands[index].context
    end = index + 1
    if len(context) > depth:
        number = context[depth].number
        while (
            end < len(commands) and len(commands[end].context) > depth and commands[end].context[depth].number == number
        ):
            end += 1
    return end
