"""Whether a tree can have taken memory at all since it was looked at: not while the whole machine has hardly used its processors.

A page is only taken by who runs. So at rest one short file is read instead of one a process, which the processor's caches have long forgotten.
"""

from __future__ import annotations

import posix
import time

from guards.limits.procfs import kernels_own, opened

UPTIME = "/proc/uptime"
"""Its second number are the idle seconds of all processors, waiting for a disk not among them."""
ONLINE = "/sys/devices/system/cpu/online"
"""The processors whose idle seconds are summed there, as `0-3,6`: the C library may count only those on which we may run."""
SYSTEM = "/sys/kernel"
"""Of the file system that ONLINE is in unless somebody put another file in its place."""
STEP = 0.03
"""Seconds by which two readings may be wrong: the file has hundredths."""


class Stillness:
    """Reckons the CPU seconds of the whole machine from a mark on."""

    def __init__(self) -> None:
        self._cpus, self._online = 0, b""
        self._mark: float | None = None
        self.files = tuple(opened(path) for path in (UPTIME, ONLINE))
        own = kernels_own(self.files[0]) and kernels_own(self.files[1], SYSTEM)
        self.known = own and hasattr(time, "CLOCK_BOOTTIME")

    def _used(self) -> float | None:
        """CPU seconds since some moment; None where the kernel does not tell, or processors came or went since the mark."""
        if not self.known:
            return None
        try:
            idle = float(posix.pread(self.files[0], 64, 0).split()[1])
            if posix.pread(self.files[1], 4096, 0) != self._online:
                return None
        except (OSError, IndexError, ValueError):
            return None
        return self._cpus * time.clock_gettime(time.CLOCK_BOOTTIME) - idle

    def mark(self) -> None:
        """Reckon from now on."""
        if self.known:
            try:
                self._online = posix.pread(self.files[1], 4096, 0)
                self._cpus = count(self._online)
            except (OSError, ValueError):
                self.known = False
        self._mark = self._used()

    def within(self, seconds: float) -> bool:
        """Whether the machine has used at most so many CPU seconds since the mark. False where it cannot be told."""
        now = self._used()
        return now is not None and self._mark is not None and -STEP <= now - self._mark <= seconds

    def close(self) -> None:
        for file in self.files:
            if file >= 0:
                posix.close(file)
        self.files, self.known = (-1, -1), False


def count(listed: bytes) -> int:
    """Of a list as `0-3,6`. Raises ValueError."""
    ranges = [part.partition(b"-") for part in listed.split(b",")]
    return sum(int(last or first) - int(first) + 1 for first, _, last in ranges)
