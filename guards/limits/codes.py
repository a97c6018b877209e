"""Exit codes: GNU timeout's where they overlap. `reason` in the JSON report tells apart what a command's own code may look like too."""

from __future__ import annotations

NOT_ADMITTED, TIMED_OUT, OURS, NOT_EXECUTABLE, NOT_FOUND, KILLED, CPU_TIME, TIED = 75, 124, 125, 126, 127, 137, 152, 143


class NotAdmitted(Exception):  # noqa: N818
    """The wait is over without room; the message says for what it was waited. The command was not started."""


BY_REASON = {
    "time": TIMED_OUT,
    "memory": KILLED,
    "host": KILLED,
    "processes": KILLED,
    "cpu-time": CPU_TIME,
    "tie": TIED,
}
