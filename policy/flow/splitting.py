"""Text that a program takes apart at blanks, with quotes, and runs without a shell (rsync -e, tar -I, env -S)."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where


def start(walk: Walk, value: Value, state: State, where: Where) -> None:
    """Start the words of `value`."""
    words = split(value)
    if words:
        walk.start(words, state, where)


def split(value: Value) -> list[Value]:
    """Words of a text, single and double quotes and backslashes taken off; the last is unknown when the text's end is."""
    text = value.text if value.text is not None else value.known
    words: list[str] = []
    word, quote, begun, index = "", "", False, 0
    while index < len(text):
        mark = text[index]
        if mark == "\\" and quote != "'" and index + 1 < len(text):
            word, begun, index = word + text[index + 1], True, index + 2
            continue
        if quote:
            if mark == quote:
                quote = ""
            else:
                word += mark
        elif mark in "'\"":
            quote, begun = mark, True
        elif mark in " \t\n":
            if begun:
                words.append(word)
            word, begun = "", False
        else:
            word, begun = word + mark, True
        index += 1
    if begun:
        words.append(word)
    values = [Value(text, text, quoted=True) for text in words]
    if value.text is None:
        values = (
            [*values[:-1], Value(None, values[-1].known)] if values and begun else [*values, Value(None, splits=True)]
        )
    return values
