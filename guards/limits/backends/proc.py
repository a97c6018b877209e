"""Limits kept by looking: the fallback where no control group can be written. Sub-reaper, adaptive sampling, a careful weighing before a kill.

Resident sizes are summed at each look, which counts shared pages once a process. Only when that sum is above the limit are the
proportional sizes read, which are true but cost a hundred times as much, and only they decide.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import resource
import time

from guards.limits import prctl, tree
from guards.limits.backends import Usage
from guards.limits.backends.crowd import Crowd
from guards.limits.procfs import exists, stat
from guards.limits.sampling import Sampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish
    from guards.limits.sampling import Weight

SHORTEST, USUAL, RESTING, LONGEST = 0.002, 0.1, 0.15, 0.25
"""Seconds between looks: near the limit, far from it, when nothing has changed, and for a tree so large that a look is dear."""
BURST = 4e9
"""Bytes a second that a program may begin to take at any moment; looks come sooner when little room is left."""
REST_SHARE, CHASE_SHARE, WEIGH_SHARE = 0.015, 0.3, 0.02
"""Of one core: what looks may cost at rest, while the tree grows towards its limit, and for weighing shared pages."""


def create(wish: Wish) -> Tree | str:
    """Always to be had where /proc is."""
    if not exists("/proc/self/stat"):
        return "there is no /proc"
    if not prctl.become_subreaper():
        return "this system knows no child sub-reaper"
    return Tree(wish)


class Tree:
    """The Backend that samples."""

    name = "proc"
    kernel = False
    groups: tuple[str, ...] = ()
    entrance: tuple[str, ...] = ()

    def __init__(self, wish: Wish) -> None:
        self.spec = wish.spec
        self.applied: dict[str, float] = {}
        for name in ("memory", "pids", "cpu_time"):
            if getattr(wish.spec, name) is not None:
                self.applied[name] = getattr(wish.spec, name)
        self.warnings: list[str] = []
        self.listed = tree.lists_children()
        self.me = posix.getpid()
        self.outside = frozenset(tree.descendants(self.me, listed=self.listed))
        self.by_descent = not self.outside
        most = tree.EVERYBODY if wish.spec.pids is None else 2 * wish.spec.pids
        self.sampler = Sampler(self.me, self.outside, most)
        self.crowd = Crowd(tree.EVERYBODY if wish.spec.pids is None else wish.spec.pids)
        self.threads = self.crowd.ceiling() if wish.spec.pids is not None else 0
        self.peak = self.anonymous = self.rss = self.processes = 0
        self.cpu = 0.0
        self.ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 9 // 8
        """KiB that a child may seem to have had because it was a copy of us before its exec."""
        self._rate = 0.0
        self._count = 0
        self._rests = False
        self._looked = self._weighed = 0.0
        self._share = 1.0  # of the summed resident size that proved to be real
        self._weighed_rss = 0
        self._pause = 0.01

    def watched(self) -> tuple[tuple[int, int], ...]:
        return ()

    def look(self, now: float) -> str:
        began = time.thread_time()
        self.crowd.look(now, self.sampler.children)
        weight = self.sampler.look()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = max(self.cpu, spent.ru_utime + spent.ru_stime + weight.cpu)
        count = len(weight.pids)
        if self._looked and now > self._looked:
            self._rate = max(0.0, (weight.rss - self.rss) / (now - self._looked))
        self._rests = weight.rss == self.rss and count == self._count
        self.rss, self._count, self._looked = weight.rss, count, now
        self.processes = max(self.processes, count)
        reason = self._judge(weight, now)
        if not reason:
            self.crowd.counted(count)
        self._plan(time.thread_time() - began)
        return reason

    def _judge(self, weight: Weight, now: float) -> str:
        limit = self.spec.memory
        use = int(weight.rss * self._share)
        if limit is None or weight.rss <= limit:
            self._share = 1.0
            self.peak = max(self.peak, weight.rss)
        elif self._share == 1.0 or now >= self._weighed or self._grew(weight.rss, limit):
            began = time.thread_time()
            use, anonymous = tree.proportional(weight.pids)
            self.anonymous = max(self.anonymous, anonymous)
            self._weighed = now + (time.thread_time() - began) / WEIGH_SHARE
            self._weighed_rss = weight.rss
            self._share = min(0.999, use / weight.rss)
            self.peak = max(self.peak, use) if self.anonymous else self.peak
            if use > limit:
                self.peak = max(self.peak, use)
                return "memory"
        if self.spec.cpu_time is not None and self.cpu >= self.spec.cpu_time:
            return "cpu-time"
        if self.spec.pids is not None and len(weight.pids) > self.spec.pids:
            return "processes"
        return ""

    def _grew(self, rss: int, limit: int) -> bool:
        """Whether pages that came since the last weighing, all counted as real, could have filled half of the room that was left."""
        room = limit - self._weighed_rss * self._share
        return rss - self._weighed_rss > room / 2

    def _plan(self, cost: float) -> None:
        """When to look again: at a quarter of the predicted time to the limit, within what looking may cost."""
        pause, share = RESTING if self._rests else USUAL, REST_SHARE
        if self.spec.memory is not None:
            room = max(0.0, self.spec.memory - self.rss * self._share)
            soon = room / max(BURST, 4 * self._rate)
            pause = min(pause, soon)
            if self._rate > 0 and room / self._rate < 2:
                share = CHASE_SHARE
        pause = min(pause, self.crowd.left / 16)  # a bomb doubles
        if self.crowd.left < 1:
            share = CHASE_SHARE
        if self.spec.cpu_time is not None:
            pause = min(pause, max(0.01, (self.spec.cpu_time - self.cpu) / (posix.cpu_count() or 1)))
        self._pause = min(LONGEST, max(SHORTEST, pause, cost / share))

    def pause(self) -> float:
        return self._pause

    def members(self) -> list[int]:
        pids = tree.descendants(self.me, self.outside, listed=self.listed)
        return [pid for pid in pids if (found := stat(pid)) is not None and found.state not in "ZX"]

    def kill(self) -> int:
        self.crowd.go_first()
        members = tree.stop(self.me, self.outside, listed=self.listed)
        tree.send(reversed(members), _signal.SIGKILL)
        return len(members)

    def usage(self) -> Usage:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        largest = spent.ru_maxrss << 10 if spent.ru_maxrss > self.ours else 0
        return Usage(
            memory=int(self.rss * self._share),
            peak=max(self.peak, largest) or None,
            anonymous=self.anonymous or None,
            cpu=max(self.cpu, spent.ru_utime + spent.ru_stime),
            processes=self.processes,
        )

    def close(self) -> None:
        self.sampler.close()
        self.crowd.close()
