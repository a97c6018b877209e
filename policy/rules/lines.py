"""Where in a TOML text a key stands, and what is left of a text that is broken in one place. For messages to the person who wrote it."""

from __future__ import annotations

import re
import tomllib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

Place = tuple[str | int, ...]

AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
HEADER = re.compile(r"\s*\[")
KEY = re.compile(r"""\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=""")
WORD = r"[A-Za-z~/*$.][^\"'#\[\]{}=]*?"
MEANT = (
    (re.compile(r"^\ufeff"), "a byte order mark stands before the first letter; save the file without it"),
    (re.compile(r"^\s*[{}]"), 'this looks like JSON; in TOML a line is `profile = "strict"`, a table begins with `[settings]`'),
    (re.compile(r"^\s*\[+\s*([\w-]+)\.([\w-]+(?:/[\w-]+)+)([^\s\]]*)\s*\]+\s*(?:#.*)?$"), 'a name with a slash stands in quotes: [{0}."{1}"{2}]'),
    (re.compile(r"^\s*([^=:\"'\[]+?)\s*=\s*(?i:(true|yes|on))\s*(?:#.*)?$"), "write {0} = true"),
    (re.compile(r"^\s*([^=:\"'\[]+?)\s*=\s*(?i:(false|no|off))\s*(?:#.*)?$"), "write {0} = false"),
    (re.compile(rf"^\s*([^=:\"'\[]+?)\s*=\s*({WORD})\s*(?:#.*)?$"), 'a text stands in quotes: {0} = "{1}"'),
    (re.compile(rf"^\s*([\w.-]+)\s*:\s*({WORD})\s*(?:#.*)?$"), 'a key and its value have = between them: {0} = "{1}"'),
    (re.compile(r"^\s*([\w.-]+)\s*:\s*(\S.*?)\s*$"), "a key and its value have = between them: {0} = {1}"),
)  # fmt: skip
"""What a line that TOML does not know probably means, and what to write instead; the first that fits."""
MISSING = {
    "summary": '; write summary = "what the command does"',
    "why": '; write why = "the harm, in a clause"',
    "decision": '; write decision = "deny"',
    "match": '; write [[match]] and below it program = "NAME"',
    "run": '; write run = "a command line"',
    "expect": '; write expect = "deny", or "pass" for the near miss',
}
"""What to write where a key is missing."""
SHAPES = {
    "bool_type": "true or false, without quotes",
    "bool_parsing": "true or false, without quotes",
    "string_type": 'a text in quotes, "like this"',
    "list_type": '["a", "list"]',
    "int_type": "a number, without quotes",
    "dict_type": "a table, { key = value }",
    "model_type": "a table, { key = value }",
}
"""How a value of the kind that pydantic misses is written in TOML."""
REST, LEFT = "; what else stands in the file is in force", " this key is left out"
"""How the message of a fault ends that cost no more than itself."""
TWICE = {"Cannot declare": "put its keys into the one above", "Cannot overwrite": "the key stands above already"}
DEEP = "it is nested too deep"
MOST = 40
"""Broken lines that are looked past one by one; a text with more is not read further."""


def line_of(text: str, place: Place) -> int | None:
    """The line of the key at `place` ("match", 0, "program"), or of the nearest thing around it; None when nothing of it is found."""
    best, line = 0, None
    for number, path in _keys(text):
        depth = len(path)
        if depth > best and path == place[:depth]:
            best, line = depth, number
    return line


def _keys(text: str) -> Iterator[tuple[int, Place]]:
    """(line, path) of every table header and every key, members of arrays of tables by their number."""
    above: Place = ()
    counted: dict[Place, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if HEADER.match(line):
            names = _names(line.strip().strip("[]").strip() if line.strip().endswith("]") else "")
            if not names:
                continue
            above = _counted(names, counted)
            if line.strip().startswith("[["):
                counted[above] = counted.get(above, -1) + 1
                above = (*above, counted[above])
            yield number, above
        elif found := KEY.match(line):
            yield number, (*above, *_names(found[1]))


def _counted(names: Place, counted: dict[Place, int]) -> Place:
    """The path of a header's table: below an array of tables it belongs to that array's last member."""
    path: Place = ()
    for depth, name in enumerate(names, 1):
        path = (*path, name)
        if depth < len(names) and path in counted:
            path = (*path, counted[path])
    return path


def _names(key: str) -> Place:
    """A dotted key as TOML reads it; () when it is none."""
    try:
        table: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts: list[str] = []
    while isinstance(table, dict) and len(table) == 1:
        ((part, table),) = table.items()
        parts.append(part)
    return tuple(parts)


def fault(error: tomllib.TOMLDecodeError, lines: list[str], start: int = 1) -> tuple[int | None, str]:
    """The line of a syntax error where the parser names one, and what it says, with what was probably meant. `lines` begin with number `start`."""
    told = str(error)
    found = AT_LINE.search(told)
    if not found:
        return None, told
    number, told = int(found[1]), told[: found.start()]
    here = lines[number - start] if 0 <= number - start < len(lines) else ""
    cure = next((words for begin, words in TWICE.items() if told.startswith(begin)), "") or meant(here)
    return number, f"{told}; {cure}" if cure else told


def meant(line: str) -> str:
    """What to write instead of a line that TOML does not know, "" when that cannot be told."""
    for pattern, words in MEANT:
        if found := pattern.match(line.rstrip("\r\n")):
            return words.format(*(part or "" for part in found.groups()))
    return ""


def readable(text: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """What can be read of a text, and (line, error) of what cannot: the broken lines, or the whole table where that does not mend it."""
    kept = ""
    faults: list[tuple[int, str]] = []
    for start, table in _tables(text):
        good, found = _mended(kept, table, start)
        kept += good
        faults += found
    return tomllib.loads(kept), faults


def _tables(text: str) -> Iterator[tuple[int, str]]:
    """(number of the first line, text) of the part before the first table header, then of every table."""
    start, part = 1, ""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if HEADER.match(line) and part:
            yield start, part
            start, part = number, ""
        part += line
    yield start, part


def _mended(before: str, table: str, start: int) -> tuple[str, list[tuple[int, str]]]:
    """The table without its broken lines, each left blank; nothing of it when its header is broken or too much is."""
    lines = table.splitlines(keepends=True)
    faults: list[tuple[int, str]] = []
    while True:
        try:
            tomllib.loads(before + "".join(lines))
        except tomllib.TOMLDecodeError as error:
            number, told = fault(error, lines, start)
            here = number - start if number is not None else -1
            faults.append((number or start, told))
            bad = not 0 <= here < len(lines) or not lines[here].strip()
            if bad or HEADER.match(lines[here]) or len(faults) > MOST:
                return "\n" * len(lines), faults[:1]
            lines[here] = "\n"
        except RecursionError:
            deepest = max(range(len(lines)), key=lambda at: lines[at].count("[") + lines[at].count("{"))
            faults.append((start + deepest, DEEP))
            if not lines[deepest].strip() or HEADER.match(lines[deepest]) or len(faults) > MOST:
                return "\n" * len(lines), faults[:1]
            lines[deepest] = "\n"
        else:
            return "".join(lines), faults
