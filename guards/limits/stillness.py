"""Whether a tree can have taken memory at all since it was looked at: not while the whole machine has hardly used its processors.

A page is only taken by who runs. So at rest one short file is read instead of one a process, which the processor's caches have long forgotten.
"""

from __future__ import annotations

import posix
import time

from guards.limits.procfs import kernels_own

UPTIME = "/proc/uptime"
"""Its second number are the idle seconds of all processors, waiting for a disk not among them."""
STEP = 0.03
"""Seconds by which two readings may be wrong: the file has hundredths."""


class Stillness:
    """Reckons the CPU seconds of the whole machine from a mark on."""

    def __init__(self) -> None:
        self.cpus = 0
        self._mark: float | None = None
        try:
            self.file = posix.open(UPTIME, posix.O_RDONLY | posix.O_CLOEXEC)
        except OSError:
            self.file = -1
        self.known = kernels_own(self.file) and hasattr(time, "CLOCK_BOOTTIME")

    def _used(self) -> float | None:
        """CPU seconds since some moment; None where the kernel does not tell."""
        if not self.known:
            return None
        try:
            idle = float(posix.pread(self.file, 64, 0).split()[1])
        except (OSError, IndexError, ValueError):
            return None
        return self.cpus * time.clock_gettime(time.CLOCK_BOOTTIME) - idle

    def mark(self) -> None:
        """Reckon from now on."""
        self.cpus = posix.sysconf("SC_NPROCESSORS_ONLN")
        self._mark = self._used()

    def within(self, seconds: float) -> bool:
        """Whether the machine has used at most so many CPU seconds since the mark. False where it cannot be told.

        A processor that was taken into use meanwhile lets less than nothing seem used.
        """
        now = self._used()
        return now is not None and self._mark is not None and -STEP <= now - self._mark <= seconds

    def close(self) -> None:
        if self.file >= 0:
            posix.close(self.file)
            self.file = -1
