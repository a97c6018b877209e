"""`gatepost statusline`: one line for a host's status bar. Reads our own state alone, starts nothing and judges nothing."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from guards import history, session, sessions, silent
from guards.layout import current
from policy.wording import quote

if TYPE_CHECKING:
    from guards.layout import Layout

LARGEST = 1 << 20
COUNTED = {"deny": "refused", "ask": "asked"}
NAME = 20


@click.command()
@click.option(
    "--session",
    "given",
    default="",
    help="The session to tell about, instead of the one that stdin or the environment names.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(*, given: str, as_json: bool) -> None:
    """Say in one line whether the guard stands, and what it did since midnight.

    A host's payload on stdin (its session_id) tells whose line it is; nothing else of it is read. Requests that can concern no rule count as
    silent; those that were judged and let pass are in no count of the line.

    \b
    gatepost statusline
    gatepost statusline --json </dev/null
    """  # noqa: D301
    layout = current()
    now = told(layout, given or asked_for() or session.current(os.environ))
    click.echo(json.dumps(now) if as_json else line(now))


def asked_for() -> str:
    """The session id of a payload on stdin, "" where there is none."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        found = json.loads(sys.stdin.read(LARGEST))
    except (ValueError, OSError):
        return ""
    named = found.get("session_id") if isinstance(found, dict) else None
    return named if isinstance(named, str) else ""


def told(layout: Layout, identity: str) -> dict[str, Any]:
    """What the line says, as data."""
    day = time.localtime()
    midnight = time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))
    every, own = dict.fromkeys(("passed", "asked", "refused"), 0), dict.fromkeys(("passed", "asked", "refused"), 0)
    last = ""
    for entry in history.since(layout, midnight):
        kind = COUNTED.get(str(entry.get("action")), "passed") if not entry.get("observed") else "passed"
        every[kind] += 1
        if identity and entry.get("session") == identity:
            own[kind] += 1
        if kind == "refused" and not last:
            last = str(entry.get("rule", ""))
    state, detail = guard(layout)
    live = sessions.find(layout, identity)
    return {
        "state": state,
        "detail": detail,
        "session": identity,
        "name": live.name if live is not None else "",
        "today": {"silent": silent.since(layout, midnight), **every},
        "of_session": own if identity else None,
        "last_refused": last,
        "silent_in_all": silent.total(layout),
    }


def guard(layout: Layout) -> tuple[str, str]:
    """(state, what there is to say): guarding, observing, renewing (a source has changed), partly (a file of the person's is not in force), broken."""
    from policy.compiled import Compiled, CompiledError

    try:
        config = Compiled.load(layout.compiled, check=False).config
    except CompiledError as error:
        return "broken", str(error)
    if not os.access(f"{layout.bin}/gatepost-hook", os.X_OK):
        return "broken", f"{layout.bin}/gatepost-hook is missing; run: gatepost compile"
    if config["problems"]:
        return "partly", config["problems"][0]
    try:
        Compiled.load(layout.compiled)
    except CompiledError as error:
        return ("renewing", "the next command compiles what changed") if error.stale else ("broken", str(error))
    return ("observing" if config["profile"] == "observe" else "guarding"), ""


def line(now: dict[str, Any]) -> str:
    """The same for people."""
    today, own = now["today"], now["of_session"]
    counts = [f"{today['asked']} asked", f"{today['refused']} refused"]
    if today["silent"] is not None:
        counts.insert(0, f"{today['silent']} silent")
    parts = [f"gatepost {now['state']}", f"today {', '.join(counts)}"]
    if own is not None:
        name = f" {quote(now['name'], NAME)}" if now["name"] else ""
        parts.append(f"session{name} {own['asked']} asked, {own['refused']} refused")
    if now["detail"]:
        parts.append("gatepost doctor tells more" if now["state"] in ("broken", "partly") else now["detail"])
    return " · ".join(parts)
