"""Whether anybody new may belong to a tree, told from the numbers that the kernel gives out: a tree at rest need not be walked.

Linux gives process and thread ids out in turn, and /proc/loadavg ends with the latest. Whoever came since the last look has a number
between that one and this; it is ours only if its parent is ours, since a sub-reaper inherits every orphan. Ids that were chosen by hand
(`set_tid` of clone3, for restored checkpoints) and a turn of all numbers are seen by the walk that comes every few seconds anyway.
"""

from __future__ import annotations

from guards.limits.procfs import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

MOST = 32
"""Numbers that are looked at one by one; among more a walk of the tree is cheaper."""


class Arrivals:
    """Remembers the latest numbers of two looks: one that was given out just before a look can be found in /proc only after it."""

    def __init__(self) -> None:
        self._last = self._before = 0

    def may_be_ours(self, latest: int, known: Container[int]) -> bool:
        """Whether a process or thread that came since the look before last may be a child of the `known` pids or a thread of theirs.

        `latest` is the number given out last, 0 where it cannot be told. True where it cannot be said.
        """
        since, self._before, self._last = self._before, self._last, latest
        if not since or not since <= latest <= since + MOST:
            return True
        return any(number not in known and _parent(number) in known for number in range(since + 1, latest + 1))


def _parent(number: int) -> int:
    """Of the process, or of the thread's process; 0 when there is none of that number."""
    text = read(f"/proc/{number}/stat")
    return int(text.rpartition(b")")[2].split(None, 2)[1]) if text else 0
