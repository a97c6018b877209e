"""Whether an agent keeps trying what was refused: counted in the log's tail, told to the person, and to the model as a stop."""

from __future__ import annotations

import posix
import time

from guards.audit import NAME
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from policy.model import Decision, Request

WINDOW = 600.0
"""Seconds that a refusal counts."""
MANY = 3
"""Refusals of one rule in one session after which the person is told."""
_TAIL = 1 << 16


def escalated(layout: Layout, request: Request, decision: Decision) -> Decision:
    """A deny with a stop for the model and a note for the person when the same rule refused this session MANY times, this one included.

    The log must hold this decision already. A log that cannot be read counts nothing.
    """
    if decision.action != "deny" or not request.session:
        return decision
    times = _refusals(f"{layout.state}/{NAME}", request.session, decision.rule)
    if times < MANY:
        return decision
    stop = (
        f"This was refused {times} times in this session: stop trying other spellings and tell the person what you need"
    )
    note = f"gatepost: {decision.rule} refused {times} times in this session; `gatepost log --denied` shows what was tried."
    return decision.replace(advice=(*decision.advice, stop), note=f"{decision.note}\n{note}".strip())


def _refusals(path: str, session: str, rule: str) -> int:
    """Entries of the tail that say so. Inside a JSON text a quote is escaped, so what is looked for stands nowhere but between members."""
    since = time.time() - WINDOW
    ours = f',"session":{encode(session)},'
    refused = f',"action":"deny","rule":{encode(rule)},'
    count = 0
    for line in _tail(path).splitlines():
        if ours in line and refused in line:
            written = line.partition(",")[0].removeprefix('{"time":')
            count += written.replace(".", "", 1).isdigit() and float(written) >= since
    return count


def _tail(path: str) -> str:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    except OSError:
        return ""
    try:
        posix.lseek(descriptor, max(0, posix.fstat(descriptor).st_size - _TAIL), 0)
        return posix.read(descriptor, _TAIL).decode("ascii", "replace")
    finally:
        posix.close(descriptor)
