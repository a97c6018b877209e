"""Brace expansion of an unquoted {a,b} or {1..3}, as written."""

from __future__ import annotations

from policy.flow import inside
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk

MOST = 64


def items(walk: Walk, state: State, source: str) -> list[Value] | None:
    """The words between the braces in order, quotes removed; None when it is no brace expansion that is understood."""
    inner = source[1:-1] if source[:1] == "{" and source[-1:] == "}" else ""
    parts = split(inner)
    if len(parts) == 1:
        texts = _sequence(inner)
        return None if texts is None else [Value(text, text) for text in texts]
    found: list[Value] = []
    for part in parts:
        found.extend(_item(walk, state, part))
        if len(found) > MOST:
            return None
    return found


def split(text: str) -> list[str]:
    """At commas outside of braces, quotes and parentheses."""
    parts, depth, start, quote, index = [], 0, 0, "", 0
    while index < len(text):
        mark = text[index]
        if mark == "\\" and quote != "'":
            index += 2
            continue
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark in "{(":
            depth += 1
        elif mark in "})":
            depth -= 1
        elif mark == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
        index += 1
    parts.append(text[start:])
    return parts


def _sequence(text: str) -> list[str] | None:
    ends = text.split("..")
    if len(ends) not in {2, 3} or not all(ends):
        return None
    first, last = ends[0], ends[1]
    step = abs(int(ends[2])) or 1 if len(ends) == 3 and ends[2].lstrip("+-").isdigit() else 1
    if first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
        low, high = int(first), int(last)
        if abs(high - low) // step >= MOST:
            return None
        width = max(len(first), len(last)) if first[:1] == "0" or last[:1] == "0" else 0
        direction = step if high >= low else -step
        return [str(number).zfill(width) for number in range(low, high + (1 if high >= low else -1), direction)]
    if len(first) == 1 and len(last) == 1:
        low, high = ord(first), ord(last)
        direction = step if high >= low else -step
        return [chr(number) for number in range(low, high + (1 if high >= low else -1), direction)]
    return None


def _item(walk: Walk, state: State, text: str) -> list[Value]:
    if not any(mark in text for mark in "\\'\"$`{*?[~"):
        return [Value(text, text)]
    return inside.inline(walk, text, state)
