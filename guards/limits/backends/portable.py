"""Limits kept by looking through psutil, where there is no /proc (macOS). What leaves both the tree and the process group is not seen.

There is no child sub-reaper here: a descendant is known by having been below the command at a look, or by the command's process group.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import resource
import time

from guards.limits import tree
from guards.limits.backends import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.limits.backends import Wish

PAUSE = 0.1
SHARE = 0.05
"""Of one core: what looking may cost; psutil's looks are dear, so a large tree is looked at less often."""


def create(wish: Wish) -> Portable | str:
    try:
        import psutil
    except ImportError:
        return "psutil is not installed"
    try:
        return Portable(wish, psutil)
    except (psutil.Error, OSError) as error:
        return f"psutil cannot look at processes here: {error}"


class Portable:
    """The Backend for systems without /proc."""

    name = "portable"
    kernel = False
    by_descent = False
    groups: tuple[str, ...] = ()
    entrance: tuple[str, ...] = ()
    threads = 0

    def __init__(self, wish: Wish, psutil: Any) -> None:
        self.psutil = psutil
        self.spec = wish.spec
        self.applied: dict[str, float] = {
            name: value for name in ("memory", "pids", "cpu_time") if (value := getattr(wish.spec, name)) is not None
        }
        self.warnings = ["what leaves the tree and its process group at once is not seen here"]
        self.me = psutil.Process()
        self.outside = {process.pid for process in self.me.children(recursive=True)}
        self.known: dict[int, Any] = {}
        self.rss = self.peak = self.processes = 0
        self.cpu = 0.0
        self._pause = PAUSE

    def watched(self) -> tuple[tuple[int, int], ...]:
        return ()

    def _living(self) -> list[Any]:
        """Processes seen at any look that still run, by pid and start time."""
        for process in self.me.children(recursive=True):
            if process.pid not in self.outside:
                self.known.setdefault(process.pid, process)
        for process in list(self.known.values()):
            for child in self._children(process):
                self.known.setdefault(child.pid, child)
        self.known = {pid: process for pid, process in self.known.items() if self._runs(process)}
        return list(self.known.values())

    def _children(self, process: Any) -> list[Any]:
        try:
            return list(process.children(recursive=True))
        except self.psutil.Error:
            return []

    def _runs(self, process: Any) -> bool:
        try:
            return bool(process.is_running()) and process.status() != self.psutil.STATUS_ZOMBIE
        except self.psutil.Error:
            return False

    def look(self, now: float, *, alarmed: bool) -> str:  # noqa: ARG002  part of the interface
        began = time.thread_time()
        rss = 0
        cpu = 0.0
        living = self._living()
        for process in living:
            try:
                rss += process.memory_info().rss
                cpu += sum(process.cpu_times()[:2])
            except self.psutil.Error:
                continue
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.rss, self.peak = rss, max(self.peak, rss)
        self.cpu = max(self.cpu, cpu + spent.ru_utime + spent.ru_stime)
        self.processes = max(self.processes, len(living))
        self._pause = max(PAUSE, (time.thread_time() - began) / SHARE)
        if self.spec.memory is not None and rss > self.spec.memory:
            return "memory"
        if self.spec.cpu_time is not None and self.cpu >= self.spec.cpu_time:
            return "cpu-time"
        return "processes" if self.spec.pids is not None and len(living) > self.spec.pids else ""

    def pause(self) -> float:
        return self._pause

    def members(self) -> list[int]:
        return [process.pid for process in self._living()]

    def kill(self) -> int:
        members = self.members()
        tree.send(members, _signal.SIGSTOP)
        members = self.members()
        tree.send(members, _signal.SIGKILL)
        return len(members)

    def memory(self, *, fresh: bool = False) -> int:  # noqa: ARG002  looks come often enough
        return self.rss

    def usage(self) -> Usage:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = max(self.cpu, spent.ru_utime + spent.ru_stime)
        return Usage(memory=self.rss, peak=self.peak or None, cpu=cpu, processes=self.processes)

    def close(self) -> None:
        """Nothing was made."""
