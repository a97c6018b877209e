"""`with-limits status [--json]`: the jobs of this user that run or wait, place and reason; what killed supervisors left is ended on the way."""

from __future__ import annotations

import time

from guards.limits import ledger
from guards.limits.admission import SILENT
from guards.limits.codes import OURS
from guards.limits.say import say
from guards.limits.show import show_duration, show_name, show_size
from guards.limits.store import Busy, Store, StoreError
from guards.limits.sweep import ended_line, sweep, tidy
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout
    from guards.limits.ledger import Job

USAGE = """\
with-limits status [--json]     the jobs of this user that run or wait: pid, time, memory used of what is reserved, place and reason
example: with-limits status --json"""


def folder(layout: Layout) -> str:
    """Where the records lie."""
    return f"{layout.runtime}/limits"


def look(layout: Layout) -> tuple[list[Job], list[tuple[Job, int]], str]:
    """(living jobs in the order of the queue, what was swept, why nothing could be swept or ""). Raises StoreError."""
    store = Store(folder(layout))
    try:
        with store:
            living, dead = ledger.jobs(store)
            swept = sweep(store, dead)
            return tidy(store, living), swept, ""
    except Busy as error:
        return ledger.jobs(store)[0], [], str(error)
    finally:
        store.close()


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
    if found["state"] == "left":
        doing = "has ended, what it left lives on"
    use = f"{show_size(found['observed'])} of {show_size(found['budget'])}" if found["budget"] else "nothing reserved"
    slot = f", slot {found['slot']}" if found["slot"] else ""
    inside = f", inside {found['within']}" if found["within"] else ""
    return f"{found['pid']:>8}  {show_duration(found['seconds']):>9}  {use}  {doing}{slot}{inside}  {show_name(found['command'])}  ({show_name(found['cwd'])})"


def main(argv: list[str], layout: Layout) -> int:
    """Print the jobs; the exit code. Complaints go to standard error, what is read by a program alone to standard output."""
    if argv in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    if argv not in ([], ["--json"]):
        say(f"with-limits status: {' '.join(argv)!r} is not known\n{USAGE}")
        return OURS
    try:
        living, swept, problem = look(layout)
    except StoreError as error:
        say(f"with-limits: {error}")
        return OURS
    if problem:
        say(f"with-limits: {problem}; nothing was swept")
    now = time.monotonic()
    found = [describe(job, living, now) for job in living]
    if argv:
        ended = [{"id": job.identity, "command": job.command, "processes": count} for job, count in swept]
        print(encode({"jobs": found, "swept": ended}))
        return 0
    for job, count in swept:
        print(ended_line(job, count))
    print("\n".join(map(_line, found)) or "nothing runs or waits")
    return 0
