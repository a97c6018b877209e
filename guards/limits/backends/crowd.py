"""What a fork bomb is met with where no group counts processes: a ceiling for this user, a cheap look at how many there are, a stop of all at once.

Among thousands of processes that want the CPU a look at each would take minutes, in which they become more. So a crowd is stopped first,
by one signal to its group, and counted then.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import time

from guards.limits import numbers
from guards.limits.procfs import kernels_own, opened, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LOAD = "/proc/loadavg"
FOREVER = float("inf")
FEW = 24
"""New threads that are no crowd."""
SEVERAL = 12
"""Members of a tree that is stopped before it is looked at: a stop is no secret to programs, and may end a wait of theirs early."""
ALARM = 0.25
"""Seconds before there would be too many: looks at every single one may come too late then."""
SLACK = 1024
"""Threads that this user may start elsewhere while a limited command runs, before the ceiling could hinder that command."""


class Crowd:
    """Watches the number of threads of the whole machine: one small read a look. `left` is in how many seconds there may be too many.

    `latest` is the process or thread id that was given out last, 0 where the kernel does not tell.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.file = opened(LOAD)
        self.latest, self._told = 0, b""
        self.numbered = kernels_own(self.file) and numbers.ours() == posix.getpid()
        self.now = self.base = self.threads()
        self.count = 0
        self.at = time.monotonic()
        self.left = FOREVER
        self.stopped: tuple[int, ...] = ()
        self._first = False

    def threads(self) -> int:
        """Of the machine; 0 where the kernel does not tell. Renews `latest` too."""
        self._told = self._tell()
        try:
            threads, latest = (int(word) for word in self._told.split())
        except ValueError:
            threads = latest = 0
        self.latest = latest if self.numbered else 0
        return threads

    def _tell(self) -> bytes:
        """The end of the file: threads of the machine, number given out last."""
        try:
            return posix.pread(self.file, 128, 0).rpartition(b"/")[2]
        except OSError:
            return b""

    def unchanged(self, now: float) -> bool:
        """Whether nothing has come or gone on the whole machine since the last look, as far as the kernel tells. Counts as a look then."""
        if not self.numbered or self._tell() != self._told:
            return False
        self.at = now
        return True

    def ceiling(self) -> int:
        """For RLIMIT_NPROC, which counts all threads of a user: more than there can be now and than the tree may add; 0 for none.

        None for root, whom the kernel does not count, and none where a container shows figures of its own: its user may run more elsewhere.
        """
        if not self.base or not posix.getuid() or b"lxcfs" in read("/proc/self/mountinfo"):
            return 0
        return self.base + self.most + SLACK

    def look(self, now: float, children: Callable[[], Iterable[int]]) -> None:
        """Before the members are looked at. Stops the groups of our `children` when there are too many, or will be before the next look."""
        before, self.now = self.now, self.threads()
        grown = max(0, self.now - before) / max(0.001, now - self.at)
        self.at = now
        added = self.now - self.base
        self.left = max(0.0, (self.most - added) / grown) if grown and added > FEW else FOREVER
        several = (
            self.count >= SEVERAL or added > self.most
        )  # else they are somebody else's, or few enough to be looked at
        if self.left < ALARM and several and not self.stopped:
            self.go_first()
            self.stopped = tuple(
                {group for child in children() if (group := numbers.group(child)) not in {0, posix.getpgid(0)}}
            )
            self._send(_signal.SIGSTOP)

    def counted(self, count: int) -> None:
        """The members were so many and may go on: what else there is now is not ours."""
        self.base, self.count = self.now - count, count
        if self.stopped:
            self._send(_signal.SIGCONT)
            self.stopped = ()

    def _send(self, number: int) -> None:
        for group in self.stopped:
            try:
                posix.killpg(group, number)
            except OSError:
                continue

    def go_first(self) -> None:
        """Be run before everybody else, where we may. What we start inherits nothing of it."""
        if self._first:
            return
        self._first = True
        try:
            posix.sched_setscheduler(0, posix.SCHED_RR | posix.SCHED_RESET_ON_FORK, posix.sched_param(1))
        except (AttributeError, OSError):
            return

    def close(self) -> None:
        if self.file >= 0:
            posix.close(self.file)
            self.file = -1
