"""Change one array in a JSON text and leave every other byte as it is. The text may hold comments, where `load` is told that its reader knows them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from policy.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)


class NotPlain(ValueError):  # noqa: N818
    """The text cannot be changed safely; the message says where and why."""


class Node(Record):
    """A value's place in the text; `items` are (key, Node) of an object, ("", Node) of an array, () of a scalar."""

    kind: str
    start: int
    end: int
    items: tuple[tuple[str, Node], ...] = ()

    def child(self, key: str | int) -> Node | None:
        """An object's member, the last of that name as readers of JSON take it, or an array's element; None when there is none."""
        if isinstance(key, int):
            return self.items[key][1] if self.kind == "array" and key < len(self.items) else None
        return (
            next((node for name, node in reversed(self.items) if name == key), None) if self.kind == "object" else None
        )


def bare(text: str) -> str:
    """The text with blanks for its comments, each character in its place."""
    return _COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else re.sub(r"[^\r\n]", " ", found[0]), text)


def load(text: str, *, comments: bool = False) -> Any:
    """The value of a JSON text; NotPlain with line and column when it is none. `comments`: whether it may hold some."""
    if text.startswith("\ufeff"):
        raise NotPlain(
            "a byte order mark stands before the JSON, which not every reader knows; save the file without it"
        )
    try:
        return json.loads(bare(text) if comments else text)
    except json.JSONDecodeError as error:
        spoken = "trailing commas are not JSON" if comments else "comments and trailing commas are not JSON"
        raise NotPlain(f"line {error.lineno}, column {error.colno}: {error.msg} ({spoken})") from None
    except RecursionError:
        raise NotPlain("it is nested too deep to be read") from None
    except ValueError as error:
        raise NotPlain(str(error)) from None


def append(text: str, keys: Sequence[str], value: Any) -> str:
    """The text with `value` at the end of the array at `keys`; objects and the array are made where they are missing."""
    root = _root(text)
    node, depth = root, 0
    while depth < len(keys):
        if node.kind != "object":
            raise NotPlain(f"`{'.'.join(keys[:depth])}` is no object")
        below = node.child(keys[depth])
        if below is None:
            for key in reversed(keys[depth + 1 :]):
                value = {key: value} if key != keys[-1] else {key: [value]}
            return _insert(text, node, value if depth + 1 < len(keys) else [value], keys[depth])
        node, depth = below, depth + 1
    if node.kind != "array":
        raise NotPlain(f"`{'.'.join(keys)}` is no list")
    return _insert(text, node, value)


def remove(text: str, keys: Sequence[str | int], ours: Callable[[Any], bool]) -> str:
    """The text without the elements of the array at `keys` for which `ours` holds. The array itself stays."""
    while True:
        node: Node | None = _root(text)
        for key in keys:
            node = node.child(key) if node else None
        if node is None or node.kind != "array":
            return text
        elements = [element for _, element in node.items]
        found = next(
            (at for at, element in enumerate(elements) if ours(json.loads(bare(text[element.start : element.end])))),
            None,
        )
        if found is None:
            return text
        if found > 0:
            start, end = elements[found - 1].end, elements[found].end
        elif len(elements) > 1:
            start, end = elements[0].start, elements[1].start
        else:
            start, end = node.start + 1, node.end - 1
        text = text[:start] + text[end:]


def _insert(text: str, node: Node, value: Any, key: str | None = None) -> str:
    """`value` as the last element of `node`, written in the style of the text around it."""
    name = "" if key is None else json.dumps(key) + ": "
    if "\n" not in text.strip():
        rendered = name + json.dumps(value)
        comma = ", " if node.items else ""
        return text[: node.end - 1] + comma + rendered + text[node.end - 1 :]
    unit = _unit(text)
    outer = _indent(text, node.start)
    inner = _indent(text, node.items[-1][1].start) if node.items and _own_line(text, node) else outer + unit
    rendered = name + json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", "\n" + inner)
    if node.items:
        last = node.items[-1][1].end
        rest = text[last : node.end - 1]
        if rest.strip():  # comments: they stay with what they stand behind
            return f"{text[:last]},{rest.rstrip()}\n{inner}{rendered}\n{outer}{text[node.end - 1 :]}"
        return f"{text[:last]},\n{inner}{rendered}{text[last:]}"
    held = text[node.start + 1 : node.end - 1].rstrip()  # nothing, or comments
    return f"{text[: node.start + 1]}{held}\n{inner}{rendered}\n{outer}{text[node.end - 1 :]}"


def _own_line(text: str, node: Node) -> bool:
    """Whether the node's items stand on lines of their own."""
    return "\n" in text[node.start : node.items[-1][1].start]


def _indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line that holds a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _root(text: str) -> Node:
    """The whole value, which `load` has read before; NotPlain where it is too deep for this reader."""
    blank = bare(text)
    try:
        return _node(blank, _skip(blank, 0))
    except RecursionError:
        raise NotPlain("it is nested too deep to be changed") from None


def _node(text: str, at: int) -> Node:
    """The value that begins at a place of a valid JSON text without comments."""
    if text[at] not in "{[":
        _, end = json.JSONDecoder().raw_decode(text, at)
        return Node("scalar", at, end)
    kind = "object" if text[at] == "{" else "array"
    items: list[tuple[str, Node]] = []
    place = _skip(text, at + 1)
    while text[place] not in "}]":
        key = ""
        if kind == "object":
            key, place = json.JSONDecoder().raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        item = _node(text, place)
        items.append((key, item))
        place = _skip(text, item.end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return Node(kind, at, place + 1, tuple(items))
