"""`with-limits status [--json]`: the jobs of this user that run or wait, place and reason; what killed supervisors left is ended on the way."""

from __future__ import annotations

import time

from guards.limits import ledger
from guards.limits.admission import SILENT
from guards.limits.show import show_duration, show_name, show_size
from guards.limits.store import Store, StoreError
from guards.limits.sweep import sweep, tidy
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout
    from guards.limits.ledger import Job

USAGE = "usage: with-limits status [--json]"


def folder(layout: Layout) -> str:
    """Where the records lie."""
    return f"{layout.runtime}/limits"


def look(layout: Layout) -> tuple[list[Job], list[tuple[Job, int]]]:
    """(living jobs in the order of the queue, what was swept). Raises StoreError."""
    store = Store(folder(layout))
    try:
        with store:
            living, dead = ledger.jobs(store)
            swept = sweep(store, dead)
            living = tidy(store, living)
    finally:
        store.close()
    return living, swept


def describe(job: Job, living: list[Job], now: float) -> dict[str, Any]:
    """One job as JSON; the place counts from 1."""
    place = None
    if job.state == "waiting":
        place = 1 + sum(other.state == "waiting" and other.ticket < job.ticket for other in living)
    return {
        "id": job.identity,
        "pid": job.pid,
        "state": job.state,
        "command": job.command,
        "cwd": job.cwd,
        "seconds": round(max(0.0, now - job.since), 1),
        "budget": job.budget,
        "observed": job.observed,
        "limit": job.limit or None,
        "backend": job.backend or None,
        "slot": job.slot or None,
        "within": job.within or None,
        "place": place,
        "why": list(job.why),
        "passed": job.passed,
        "silent": job.state == "waiting" and now - job.seen > SILENT,
    }


def _line(found: dict[str, Any]) -> str:
    doing = f"{found['state']}"
    if found["state"] == "waiting":
        doing += f", place {found['place']}, for {' and '.join(found['why']) or 'its turn'}"
    use = f"{show_size(found['observed'])} of {show_size(found['budget'])}" if found["budget"] else "nothing reserved"
    slot = f", slot {found['slot']}" if found["slot"] else ""
    inside = f", inside {found['within']}" if found["within"] else ""
    return f"{found['pid']:>8}  {show_duration(found['seconds']):>9}  {use}  {doing}{slot}{inside}  {show_name(found['command'])}  ({show_name(found['cwd'])})"


def main(argv: list[str], layout: Layout) -> int:
    if argv not in ([], ["--json"]):
        print(USAGE)
        return 0 if argv in (["--help"], ["-h"]) else 125
    try:
        living, swept = look(layout)
    except StoreError as error:
        print(f"with-limits: {error}")
        return 125
    now = time.monotonic()
    found = [describe(job, living, now) for job in living]
    if argv:
        ended = [{"id": job.identity, "command": job.command, "processes": count} for job, count in swept]
        print(encode({"jobs": found, "swept": ended}))
        return 0
    for job, count in swept:
        print(f"ended {count} processes that a killed run had left ({job.pid}: {show_name(job.command)})")
    print("\n".join(map(_line, found)) or "nothing runs or waits")
    return 0
