"""The log read back, for people: the entries of both files in order, and how an entry is shown on a line."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from guards.audit import NAME, OLD_NAME
from policy.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout

WIDTH = 100


def entries(layout: Layout) -> Iterator[dict[str, Any]]:
    """Every whole entry, oldest first; a line that is no entry is passed over."""
    for name in (OLD_NAME, NAME):
        try:
            file = open(f"{layout.state}/{name}", encoding="ascii", errors="replace")  # noqa: SIM115
        except FileNotFoundError:
            continue
        with file:
            for line in file:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                if isinstance(entry, dict) and isinstance(entry.get("time"), int | float):
                    yield entry


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
