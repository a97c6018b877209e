"""`gatepost sessions`: the agents that are at work now."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from guards import kin, sessions
from guards.layout import current
from policy.wording import folder, quote


@click.command("sessions")
@click.option("--json", "as_json", is_flag=True, help="One JSON list instead of a table.")
def command(*, as_json: bool) -> None:
    """Show the live agent sessions: where, since when, how much memory their processes hold.

    \b
    gatepost sessions
    gatepost sessions --json
    """  # noqa: D301
    layout = current()
    rows: list[dict[str, Any]] = [
        {
            "id": one.id,
            "name": one.name,
            "pid": one.pid,
            "directory": one.directory,
            "age": round(time.time() - one.started),
            "memory": memory(one.pid),
            "command": list(one.command),
        }
        for one in sessions.live(layout)
    ]
    if as_json:
        click.echo(json.dumps(rows))
        return
    if not rows:
        click.echo("no live session")
    for row in rows:
        click.echo(_line(row))


def _line(row: dict[str, Any]) -> str:
    """One line; what an agent or its host named is escaped and cut."""
    name = _plain(row["name"]) or "-"
    words = " ".join(map(_plain, row["command"][:3]))
    return f"{_plain(row['id'])}  {name:12}  {age(row['age']):>8}  {size(row['memory']):>9}  {folder(row['directory'])[1:-1]}  {words}"


def _plain(text: str) -> str:
    return quote(text)[1:-1]


def memory(root: int) -> int:
    """Bytes of resident memory that a process and its descendants hold, shared pages counted for each."""
    import os

    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        found = kin.stat(int(name)) if name.isdigit() else None
        if found:
            children.setdefault(found[0], []).append(int(name))
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        try:
            with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                total += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError, ValueError):
            continue
    return total


def age(seconds: int) -> str:
    """A duration in its two largest units."""
    minutes, hours = seconds // 60, seconds // 3600
    return f"{hours}h{minutes % 60:02}m" if hours else f"{minutes}m{seconds % 60:02}s"


def size(count: int) -> str:
    """Bytes as MiB."""
    return f"{count / (1 << 20):.0f} MiB"
