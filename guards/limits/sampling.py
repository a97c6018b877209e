"""One cheap look at a tree after another. The files of processes that were seen before stay open, so that a look costs two reads a process.

An open /proc file belongs to its process for good: when that has gone the read fails, and a pid that was used again is not taken for it.
"""

from __future__ import annotations

import posix

from guards.limits import tree
from guards.limits.procfs import CLOCK_TICKS, PAGE
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

KEPT = 200
"""Processes whose files stay open; two descriptors each."""
FLAGS = posix.O_RDONLY | posix.O_CLOEXEC


class Weight(Record):
    """A tree at one moment: resident bytes summed (shared pages counted once a process), CPU seconds of its processes, living pids."""

    rss: int
    cpu: float
    pids: tuple[int, ...]


class Sampler:
    """Looks at the descendants of a process, `outside` and theirs left out; ends a look above `most` pids."""

    def __init__(self, pid: int, outside: Container[int], most: int) -> None:
        self.pid = pid
        self.outside = outside
        self.most = most
        self.listed = tree.lists_children()
        self._open: dict[int, tuple[int, int]] = {}
        self._own = self._children_file(pid)

    @staticmethod
    def _children_file(pid: int) -> int:
        try:
            return posix.open(f"/proc/{pid}/task/{pid}/children", FLAGS)
        except OSError:
            return -1

    def children(self) -> list[int]:
        """Our own children now, where the kernel lists them."""
        if self._own < 0:
            return []
        return [pid for pid in self._children(self._own) if pid not in self.outside]

    def look(self) -> Weight:
        """The tree as it is now. Files of processes that are new stay open, those of processes that have gone are closed."""
        if not self.listed or self._own < 0:
            return tree.weigh(tree.descendants(self.pid, self.outside, listed=False, most=self.most))
        rss = ticks = 0
        living: list[int] = []
        queue = self.children()
        for pid in queue:
            if len(living) > self.most:
                break
            files = self._open.get(pid) or self._add(pid)
            try:
                fields = posix.pread(files[0], 1024, 0).rpartition(b")")[2].split()
            except OSError:
                self._drop(pid)
                continue
            ticks += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
            if fields[0] not in b"ZX":
                rss += int(fields[21])
                living.append(pid)
            queue += self._children(files[1]) if fields[17] == b"1" else tree.children(pid)
            if pid not in self._open:
                _close(files)
        if len(self._open) > len(living):
            self._forget(set(living))
        return Weight(rss * PAGE, ticks / CLOCK_TICKS, tuple(living))

    @staticmethod
    def _children(descriptor: int) -> list[int]:
        try:
            text = posix.pread(descriptor, 65536, 0)
        except OSError:
            return []
        return [int(pid) for pid in text.split()] if text else []

    def _add(self, pid: int) -> tuple[int, int]:
        """The two open files of a process; -1 for what cannot be opened."""
        try:
            stat = posix.open(f"/proc/{pid}/stat", FLAGS)
        except OSError:
            stat = -1
        files = (stat, self._children_file(pid))
        if len(self._open) < KEPT:
            self._open[pid] = files
        return files

    def _drop(self, pid: int) -> None:
        if pid in self._open:
            _close(self._open.pop(pid))

    def _forget(self, living: set[int]) -> None:
        for pid in [pid for pid in self._open if pid not in living]:
            self._drop(pid)

    def close(self) -> None:
        self._forget(set())
        if self._own >= 0:
            posix.close(self._own)
            self._own = -1


def _close(files: tuple[int, int]) -> None:
    for descriptor in files:
        if descriptor >= 0:
            posix.close(descriptor)
