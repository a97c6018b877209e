"""The log read back, for people: the entries of both files in order, and how an entry is shown on a line."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from guards.audit import NAME, OLD_NAME
from policy.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout

WIDTH = 100
BLOCK = 65536


def entries(layout: Layout) -> Iterator[dict[str, Any]]:
    """Every whole entry, oldest first; a line that is no entry is passed over."""
    for name in (OLD_NAME, NAME):
        try:
            file = open(f"{layout.state}/{name}", encoding="ascii", errors="replace")  # noqa: SIM115
        except FileNotFoundError:
            continue
        with file:
            for line in file:
                entry = _entry(line)
                if entry is not None:
                    yield entry


def since(layout: Layout, moment: float) -> Iterator[dict[str, Any]]:
    """The entries from `moment` on, newest first; what is older is not read."""
    for name in (NAME, OLD_NAME):
        for raw in _backwards(f"{layout.state}/{name}"):
            entry = _entry(raw)
            if entry is None:
                continue
            if entry["time"] < moment:
                return
            yield entry


def _entry(raw: bytes | str) -> dict[str, Any] | None:
    try:
        entry = json.loads(raw)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("time"), int | float) else None


def _backwards(path: str) -> Iterator[bytes]:
    """The lines of a file, the last one first."""
    try:
        file = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        return
    with file:
        end = file.seek(0, os.SEEK_END)
        kept = b""
        while end:
            start = max(0, end - BLOCK)
            file.seek(start)
            first, *lines = (file.read(end - start) + kept).split(b"\n")
            yield from reversed(lines)
            kept, end = first, start
        yield kept


def asked(entry: dict[str, Any]) -> str:
    """What was asked for, as logged: the command, the argv as words, or the file tool and its path."""
    if "tool" in entry:
        return f"{entry['tool']} {entry.get('path')}"
    return str(entry["command"]) if "command" in entry else " ".join(map(str, entry.get("argv", ())))


def line(entry: dict[str, Any]) -> str:
    """One line: local time, action, rule, host or door, and the command, escaped and cut."""
    when = time.strftime("%m-%d %H:%M:%S", time.localtime(entry["time"]))
    action = f"({entry['action']})" if entry.get("observed") else str(entry["action"])
    who = str(entry.get("host") or entry.get("door"))
    shown = quote(asked(entry), WIDTH)[1:-1].replace('\\"', '"')
    return f"{when}  {action:<7} {entry.get('rule') or '-':<24} {who:<9} {shown}"
