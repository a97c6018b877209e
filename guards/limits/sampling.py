"""One cheap look at a tree after another. The files of processes that were seen before stay open, so that a look costs two short reads a process.

An open /proc file belongs to its process for good: when that has gone the read fails, and a pid that was used again is not taken for it.
When nobody new can have come, one read of the shortest file of each is enough.
"""

from __future__ import annotations

import posix
import resource

from guards.limits import tree
from guards.limits.procfs import CLOCK_TICKS, PAGE, exhausted, running, whole
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

FILES = 3
"""Files that are kept open for a process: stat, children, statm."""
KEPT, SPARE = 300, 64
"""Processes whose files stay open at most; descriptors that are left for everything else."""
LONGEST_NUMBER = 16
FLAGS = posix.O_RDONLY | posix.O_CLOEXEC


class Weight(Record):
    """A tree at one moment: resident bytes summed (shared pages counted once a process), CPU seconds of its processes, living pids, threads."""

    rss: int
    cpu: float
    pids: tuple[int, ...]
    threads: int


class Sampler:
    """Looks at the descendants of a process, `outside` and theirs left out; ends a look above `most` pids.

    `known` are the pids found by the last walk, and the process itself.
    """

    def __init__(self, pid: int, outside: Container[int], most: int) -> None:
        self.pid = pid
        self.outside = outside
        self.most = most
        self.listed = tree.lists_children()
        self.known = frozenset((pid,))
        self._kept = _room()
        self._open: dict[int, tuple[int, int, int]] = {}
        self._sizes: tuple[int, ...] = ()
        self._last = Weight(0, 0.0, (), 0)
        self._own = _opened(f"/proc/{pid}/task/{pid}/children")

    def children(self) -> list[int]:
        """Our own children now, where the kernel lists them."""
        if self._own < 0:
            return []
        return [pid for pid in _children(self._own) if pid not in self.outside]

    def walk(self) -> Weight:
        """The tree as it is now. Files of processes that are new stay open, those of processes that have gone are closed."""
        if not self.listed or self._own < 0:
            return tree.weigh(tree.descendants(self.pid, self.outside, listed=False, most=self.most))
        self._last = self._walk()
        return self._last

    def again(self) -> Weight | None:
        """The processes of the last walk as they are now, with that walk's CPU seconds and threads: enough where nobody can have come since.

        None when one of them has ended, or not all of their files are open.
        """
        if not self._sizes:
            return None
        rss = 0
        try:
            for descriptor in self._sizes:
                size, resident, _ = posix.pread(descriptor, 128, 0).split(b" ", 2)
                if size == b"0":
                    return None
                rss += int(resident)
        except (OSError, ValueError):
            return None
        return Weight(rss * PAGE, self._last.cpu, self._last.pids, self._last.threads)

    def _walk(self) -> Weight:
        rss = ticks = threads = 0
        living: list[int] = []
        sizes: list[int] = []
        queue = self.children()
        for pid in queue:
            if len(living) > self.most:
                break
            files = self._open.get(pid) or self._add(pid)
            try:
                fields = posix.pread(files[0], 1024, 0).rpartition(b")")[2].split()
            except OSError:
                self._open.pop(pid, None)
                _close(files)
                continue
            ticks += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
            if fields[0] not in b"ZX":
                rss += _resident(files[2])
                living.append(pid)
                sizes.append(files[2])
                threads += int(fields[17])
            elif fields[17] != b"1" and (thread := running(pid)):
                rss += thread.rss // PAGE
                living.append(thread.pid)
                threads += int(fields[17])
            queue += _children(files[1]) if fields[17] == b"1" else tree.children(pid)
            if pid not in self._open:
                _close(files)
        if len(self._open) > len(living):
            self._forget(set(living))
        self.known = frozenset((self.pid, *queue))
        self._sizes = tuple(sizes) if len(sizes) == len(living) == len(self._open) else ()
        return Weight(rss * PAGE, ticks / CLOCK_TICKS, tuple(living), threads)

    def _add(self, pid: int) -> tuple[int, int, int]:
        """The open files of a process; -1 for what cannot be opened."""
        files = (
            _opened(f"/proc/{pid}/stat"),
            _opened(f"/proc/{pid}/task/{pid}/children"),
            _opened(f"/proc/{pid}/statm"),
        )
        if len(self._open) < self._kept:
            self._open[pid] = files
        return files

    def _forget(self, living: set[int]) -> None:
        for pid in [pid for pid in self._open if pid not in living]:
            _close(self._open.pop(pid))

    def close(self) -> None:
        self._forget(set())
        self._sizes = ()
        if self._own >= 0:
            posix.close(self._own)
            self._own = -1


def _room() -> int:
    """Of how many processes files may stay open: a look that finds no descriptor free would take a process for gone."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return KEPT if soft == resource.RLIM_INFINITY else max(0, min(KEPT, (soft - SPARE) // FILES))


def _opened(path: str) -> int:
    """-1 when it has gone. Raises OSError where too many files are open: a tree that cannot be looked at is not left alone."""
    try:
        return posix.open(path, FLAGS)
    except OSError as error:
        if exhausted(error):
            raise
        return -1


def _children(descriptor: int) -> list[int]:
    try:
        text = posix.pread(descriptor, PAGE, 0)
        if len(text) > PAGE - LONGEST_NUMBER:  # a read of a list gives a page of it at most
            posix.lseek(descriptor, 0, 0)
            text = whole(descriptor)
    except OSError:
        return []
    return [int(pid) for pid in text.split()] if text else []


def _resident(descriptor: int) -> int:
    """Pages. From the same file at every look: since Linux 6.16 it is exact, and the figure in `stat` is an estimate of every CPU's part."""
    try:
        return int(posix.pread(descriptor, 128, 0).split(b" ", 2)[1])
    except (OSError, IndexError):
        return 0


def _close(files: tuple[int, ...]) -> None:
    for descriptor in files:
        if descriptor >= 0:
            posix.close(descriptor)
