"""Limits kept by looking: the fallback where no control group can be written. Sub-reaper, adaptive sampling, a careful weighing before a kill.

Resident sizes are summed at each look at which they can have changed; that counts shared pages once a process. Only when that sum is above the limit are the
proportional sizes read, which are true but cost a hundred times as much, and only they decide.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import resource
import time

from guards.limits import numbers, prctl, tree
from guards.limits.arrivals import Arrivals
from guards.limits.backends import Usage
from guards.limits.backends.crowd import FOREVER, Crowd
from guards.limits.machine import BURST
from guards.limits.procfs import exists, running
from guards.limits.sampling import Sampler
from guards.limits.stillness import Stillness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish
    from guards.limits.sampling import Weight

SHORTEST, USUAL, LONG, LONGEST = 0.002, 0.1, 0.25, 0.5
"""Seconds between looks: near the limit, far from it, when nothing has changed or the tree is so large that a look is dear, and when nothing
has changed and nothing could do harm sooner."""
FORKS = 4000
"""Processes a second that one processor may start; looks come LONG after one another where there might be too many otherwise."""
WALK = 10.0
"""Seconds after which the tree is walked even though nobody seems to have come."""
STILL = 0.25
"""CPU seconds of the whole machine below which a tree that nobody joined is not looked at again."""
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
        self.me = numbers.ours()
        self.outside = frozenset(tree.descendants(self.me, listed=self.listed))
        self.by_descent = not self.outside
        most = tree.EVERYBODY if wish.spec.pids is None else 2 * wish.spec.pids
        self.sampler = Sampler(self.me, self.outside, most)
        self.crowd = Crowd(tree.EVERYBODY if wish.spec.pids is None else wish.spec.pids)
        self.arrivals = Arrivals()
        self.stillness = Stillness()
        self.threads = self.crowd.ceiling() if wish.spec.pids is not None else 0
        self.peak = self.anonymous = self.rss = self.processes = 0
        self.cpu = 0.0
        self.ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 9 // 8
        """KiB that a child may seem to have had because it was a copy of us before its exec."""
        self._rate = self._cost = 0.0
        self._count = 0
        self._rests = self._quiet = False
        self._looked = self._weighed = self._walk_at = 0.0
        self._share = 1.0  # of the summed resident size that proved to be real
        self._weighed_rss = 0
        self._pause = 0.01

    def watched(self) -> tuple[tuple[int, int], ...]:
        return ()

    def look(self, now: float, *, alarmed: bool) -> str:  # noqa: ARG002  part of the interface
        if self._quiet and now < self._walk_at and self.crowd.unchanged(now) and self._still():
            self._looked = now
            return ""
        self.crowd.look(now, self.sampler.children)
        self._cost = 0.0
        came = self._may_have_come()
        self.stillness.mark()
        weight = (self.sampler.again() if not came and now < self._walk_at else None) or self._walk(now)
        count = weight.threads
        if self._looked and now > self._looked:
            self._rate = max(0.0, (weight.rss - self.rss) / (now - self._looked))
        self._rests = weight.rss == self.rss and count == self._count
        self._quiet = self._rests and not came
        self.rss, self._count, self._looked = weight.rss, count, now
        self.processes = max(self.processes, count)
        reason = self._judge(weight, now)
        if not reason:
            self.crowd.counted(count)
        self._plan()
        return reason

    def _walk(self, now: float) -> Weight:
        self._walk_at = now + WALK
        began = time.thread_time()
        weight = self.sampler.walk()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = max(self.cpu, spent.ru_utime + spent.ru_stime + weight.cpu)
        self._cost = time.thread_time() - began
        return weight

    def _may_have_come(self) -> bool:
        """Whether the tree has to be walked: always where CPU seconds decide something, which only a walk reads."""
        if self.spec.cpu_time is not None or self.spec.cpu is not None:
            return True
        return self.arrivals.may_be_ours(self.crowd.latest, self.sampler.known)

    def _still(self) -> bool:
        """Whether nobody can have grown by what would matter since sizes were read."""
        room = FOREVER if self.spec.memory is None else self.spec.memory - self.rss
        return room > 0 and self.stillness.within(min(STILL, room / 4 / BURST))

    def _judge(self, weight: Weight, now: float) -> str:
        limit = self.spec.memory
        use = int(weight.rss * self._share)
        if limit is None or weight.rss <= limit:
            self._share = 1.0
            self.peak = max(self.peak, weight.rss)
        elif self._share == 1.0 or now >= self._weighed or self._grew(weight.rss, limit):
            began = time.thread_time()
            use, anonymous = tree.proportional(weight.pids)
            if use > limit and len(weight.pids) > 1:
                use, anonymous = tree.proportional(tree.apart(weight.pids))
            self.anonymous = max(self.anonymous, anonymous)
            cost = time.thread_time() - began
            self._cost += cost
            self._weighed = now + cost / WEIGH_SHARE
            self._weighed_rss = weight.rss
            self._share = min(0.999, use / weight.rss)
            self.peak = max(self.peak, use) if self.anonymous else self.peak
            if use > limit:
                self.peak = max(self.peak, use)
                return "memory"
        if self.spec.cpu_time is not None and self.cpu >= self.spec.cpu_time:
            return "cpu-time"
        if self.spec.pids is not None and weight.threads > self.spec.pids:
            return "processes"
        return ""

    def _grew(self, rss: int, limit: int) -> bool:
        """Whether pages that came since the last weighing, all counted as real, could have filled half of the room that was left."""
        room = limit - self._weighed_rss * self._share
        return rss - self._weighed_rss > room / 2

    def _plan(self) -> None:
        """When to look again: at a quarter of the predicted time to the limit, within what looking may cost."""
        pause, share = self._resting() if self._rests else USUAL, REST_SHARE
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
        self._pause = max(SHORTEST, pause, min(LONG, self._cost / share))

    def _resting(self) -> float:
        if self.spec.pids is None:
            return LONGEST
        return min(LONGEST, max(LONG, (self.spec.pids - self._count) / (FORKS * (posix.cpu_count() or 1))))

    def pause(self) -> float:
        return self._pause

    def members(self) -> list[int]:
        pids = tree.descendants(self.me, self.outside, listed=self.listed)
        return [pid for pid in pids if running(pid) is not None]

    def kill(self) -> int:
        self.crowd.go_first()
        self.sampler.close()  # no more looks; with few descriptors left a walk needs those
        self.stillness.close()
        members = tree.stop(self.me, self.outside, listed=self.listed)
        tree.send(reversed(members), _signal.SIGKILL)
        return len(members)

    def memory(self, *, fresh: bool = False) -> int:  # noqa: ARG002  looks come often enough
        return int(self.rss * self._share)

    def usage(self) -> Usage:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        largest = spent.ru_maxrss << 10 if spent.ru_maxrss > self.ours else 0
        return Usage(
            memory=self.memory(),
            peak=max(self.peak, largest) or None,
            anonymous=self.anonymous or None,
            cpu=max(self.cpu, spent.ru_utime + spent.ru_stime),
            processes=self.processes,
        )

    def close(self) -> None:
        self.sampler.close()
        self.stillness.close()
        self.crowd.close()
