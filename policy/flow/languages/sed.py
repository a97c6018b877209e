"""sed scripts: e and s///e run text, w and s///w write files."""

from __future__ import annotations

from policy.flow.languages.actions import Actions
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

TO_LINE_END = "aic:btT"


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the commands of a script; of text that is not wholly known, the certain beginning."""
    del arguments
    actions = Actions(walk, language, state.copy(), where)
    text = value.text if value.text is not None else value.known
    index = 0
    while index < len(text):
        index = _command(text, _address(text, index), actions)
    actions.finish()


def _address(text: str, index: int) -> int:
    """Past blanks, addresses, ! and {."""
    while index < len(text):
        mark = text[index]
        if mark in " \t\n;{!,$~+" or mark.isdigit():
            index += 1
        elif mark == "/":
            index = _delimited(text, index + 1, "/")
        elif mark == "\\" and index + 1 < len(text):
            index = _delimited(text, index + 2, text[index + 1])
        elif mark in "IM" and index and text[index - 1] == "/":
            index += 1
        else:
            break
    return index


def _delimited(text: str, index: int, closing: str) -> int:
    """The index after the next unescaped `closing`."""
    while index < len(text):
        if text[index] == "\\":
            index += 2
            continue
        if text[index] == closing:
            return index + 1
        if text[index] == "\n" and closing != "\n":
            break
        index += 1
    return index


def _line(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end


def _command(text: str, index: int, actions: Actions) -> int:
    if index >= len(text):
        return index
    mark = text[index]
    if mark in "sy" and index + 1 < len(text):
        both = _delimited(text, _delimited(text, index + 2, text[index + 1]), text[index + 1])
        return both if mark == "y" else _substitution(text, index, actions)
    end = _line(text, index)
    rest = text[index + 1 : end].strip()
    if mark == "e" and rest and rest[0] not in ";}":
        actions.shell(Value(rest, rest))
        return end
    if mark in "wW" and rest:
        actions.touch("write", Value(rest, rest))
        return end
    return end if mark in "rR#" or mark in TO_LINE_END else index + 1


def _substitution(text: str, index: int, actions: Actions) -> int:
    delimiter = text[index + 1]
    middle = _delimited(text, index + 2, delimiter)
    end = _delimited(text, middle, delimiter)
    replacement = text[middle : end - 1]
    while end < len(text) and text[end] in "gpiImMe0123456789":
        if text[end] == "e":
            known = replacement if "\\" not in replacement and "&" not in replacement else None
            actions.shell(Value(known, replacement.partition("\\")[0].partition("&")[0]))
        end += 1
    if end < len(text) and text[end] == "w":
        stop = _line(text, end)
        actions.touch("write", Value(text[end + 1 : stop].strip(), text[end + 1 : stop].strip()))
        return stop
    return end
