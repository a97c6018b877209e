"""Stay with a command until it and everything that it started is gone: one thread, one poll, one child that we forked ourselves."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import time

from guards.limits import prctl, signals, tree
from guards.limits.backends import Usage
from guards.limits.signals import ENDING, Signals
from guards.limits.spawn import Started, spawn
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.limits.backends import Backend
    from guards.limits.beat import Beat
    from guards.limits.duty import Duty
    from guards.limits.limits import LimitSpec
    from guards.limits.spawn import Start

FOREVER = float("inf")
NOTHING: frozenset[int] = frozenset()
AT_ONCE = frozenset({"memory", "processes", "host"})
"""Reasons that leave no time for a graceful stop."""
SOON = 0.02
"""Seconds in which many commands have ended already; only after that is more than a signal waited for."""
NEAR = 0.5
"""Of the time between beats, or between looks if that is less: so near to each other both are done at once, since a waking, with the
processor's caches cold, costs more than the work."""
VERIFY = 5.0
"""Seconds of SIGKILL rounds before a process that does not go (one stuck in the kernel) is reported as a survivor."""
SETTLE = 0.02
"""Seconds that children of an ended command get to end by themselves before they count as left over."""


class Outcome(Record):
    """How a run ended. `reason` is exit, signal, time, memory, cpu-time, processes, tie, host, interrupted or not-started."""

    reason: str
    code: int | None = None
    signal: int = 0
    wall: float = 0.0
    usage: Usage = Usage()
    ended: int = 0
    kill_time: float = 0.0
    survivors: int = 0
    leftover: int = 0
    started: Started = Started(0)
    overhead: float = 0.0


class Supervisor:
    """Runs one command. `beat` makes the Beat when the first is due, a second after the start: most commands have ended by then."""

    def __init__(
        self, spec: LimitSpec, backend: Backend, *, tie: int = -1, beat: Callable[[], Beat] | None = None
    ) -> None:
        self.spec = spec
        self.backend = backend
        self.make_beat = beat
        self.beat: Beat | None = None
        self.leader = 0
        self.code: int | None = None
        self.killing = FOREVER
        self.interrupted = 0
        self.ended = 0
        self.tie = tie
        self.duty: Duty | None = None
        if spec.cpu is not None and "cpu" not in backend.applied:
            from guards.limits.duty import Duty

            self.duty = Duty(spec.cpu)

    def run(self, start: Start, began: float) -> Outcome:
        """`began` is when the supervisor itself started: the overhead is what passed until the command ran."""
        prctl.become_subreaper()
        self.caught = Signals(terminal=not start.own_group)
        mask = signals.block_all()
        listening = mask - {_signal.SIGCHLD}  # who started us may have blocked it: then nobody would tell us of an end
        try:
            started = spawn(start, self.spec, self.caught, mask)
            if not started.pid:
                return Outcome("not-started", started=started)
            self.leader = started.pid
            self.own_group = start.own_group
            self.since = time.monotonic()
            came = self.caught.soon(min(SOON, self.backend.pause(), self.spec.time or SOON))
            signals.restore(listening)
            self._take(came)
            return self._watched(started, self.since - began)
        except BaseException:
            self._kill(time.monotonic())  # whatever failed in us: nothing runs on without its limits
            raise
        finally:
            signals.restore(listening)

    def _watched(self, started: Started, overhead: float) -> Outcome:
        reason = "" if self._over() else self._watch()
        kill_time = self._end(reason) if reason else 0.0
        leftover = 0 if reason else self._leftover()
        usage = self.backend.usage()
        if not reason and usage.oom_kills:
            reason = "memory"
        number = self.interrupted if reason == "interrupted" else 0
        if not reason:
            number = -self.code if self.code is not None and self.code < 0 else 0
            reason = "signal" if number else "exit"
        return Outcome(
            reason=reason,
            code=self.code,
            signal=number,
            wall=time.monotonic() - self.since,
            usage=usage,
            ended=self.ended,
            kill_time=kill_time,
            survivors=0 if self.spec.leftover == "leave" or self._wait_empty(0) else len(self.backend.members()),
            leftover=leftover,
            started=started,
            overhead=overhead,
        )

    def _register(self) -> None:
        import select

        self.poll = select.poll()
        self.poll.register(self.caught.descriptor, select.POLLIN)
        for descriptor, events in self.backend.watched():
            self.poll.register(descriptor, events)
        self.alarms = frozenset(descriptor for descriptor, _ in self.backend.watched())
        self.look_at = self.since + self.backend.pause()
        if self.tie >= 0:
            self.poll.register(self.tie, select.POLLIN)
        self.deadline = FOREVER if self.spec.time is None else self.since + self.spec.time
        self.beat_at = FOREVER if self.make_beat is None else self.since + 1

    def _watch(self) -> str:
        """Until the command has ended, with `--leftover wait` all of its tree (""), or something gives a reason to end it."""
        self._register()
        while True:
            now = time.monotonic()
            until = min(self.deadline, self.killing, self.beat_at, self.look_at)
            events = self.poll.poll(max(0, int((until - now) * 1000) + 1))
            came = frozenset(descriptor for descriptor, _ in events) if events else NOTHING
            if events:  # every signal, SIGCHLD too, makes one
                self._take(self.caught.pending())
            if self._over():
                return ""
            if self.tie in came:
                return "tie"
            if reason := self._judge(time.monotonic(), alarmed=not self.alarms.isdisjoint(came)):
                return reason

    def _judge(self, now: float, *, alarmed: bool) -> str:
        """The reason to end the tree at this moment, or "". A storm of ending children does not make the looks more frequent."""
        near = NEAR * min(self.beat.pause, self.backend.pause()) if self.beat is not None else 0.0
        looked = alarmed or now >= self.look_at or (now >= self.beat_at and now >= self.look_at - near)
        if looked:
            if reason := self.backend.look(now, alarmed=alarmed):
                return reason
            if self.duty is not None:
                self.duty.step(now, self.backend)
            self.look_at = now + min(self.backend.pause(), self.duty.pause() if self.duty else FOREVER)
        if now >= self.deadline:
            return "time"
        if now >= self.killing:
            return "interrupted"
        if now >= self.beat_at - (near if looked else 0.0):
            return self._beat(now)
        return ""

    def _beat(self, now: float) -> str:
        if self.beat is None and self.make_beat is not None:
            self.beat = self.make_beat()
        if self.beat is None:
            return ""
        reason = self.beat(now)
        self.beat_at = now + self.beat.pause
        return reason

    def _over(self) -> bool:
        return self.code is not None and (self.spec.leftover != "wait" or self._wait_empty(0))

    def _take(self, numbers: list[int]) -> None:
        """What came: children to reap, signals to pass on."""
        for number in numbers:
            if number == _signal.SIGTSTP:
                tree.send(self.backend.members(), number)
                posix.kill(posix.getpid(), _signal.SIGSTOP)
                tree.send(self.backend.members(), _signal.SIGCONT)
            elif self.caught.passes_on(number):
                self._pass_on(number)
        self._reap()

    def _pass_on(self, number: int) -> None:
        try:
            if self.own_group:
                posix.killpg(self.leader, number)
            else:
                posix.kill(self.leader, number)
        except OSError:
            pass
        if number in ENDING:
            self.interrupted = number
            self.killing = min(self.killing, time.monotonic() + self.spec.kill_after)

    def _reap(self) -> bool:
        """Take every child that ended, adopted orphans too; the command's own status is kept. Whether no child is left at all."""
        while True:
            try:
                pid, status = posix.waitpid(-1, posix.WNOHANG)
            except ChildProcessError:
                return True
            if not pid:
                return False
            if pid == self.leader:
                self.code = posix.waitstatus_to_exitcode(status)

    def _end(self, reason: str) -> float:
        """Stop the whole tree; seconds from the decision to empty. A graceful stop first, unless memory is at stake."""
        began = time.monotonic()
        if reason not in AT_ONCE and reason != "interrupted":
            self._terminate()
        return self._kill(began)

    def _terminate(self) -> None:
        """SIGTERM to everybody (SIGCONT lets a stopped one see it), then up to the grace time for them to go."""
        members = self.backend.members()
        tree.send(members, _signal.SIGTERM)
        tree.send(members, _signal.SIGCONT)
        self._wait_empty(self.spec.kill_after)

    def _wait_empty(self, seconds: float) -> bool:
        """Reap until nobody lives or the time is up; looks come at growing intervals."""
        end = time.monotonic() + seconds
        step = 0.0005
        while True:
            childless = self._reap()
            if childless if self.backend.by_descent else not self.backend.members():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(step, left))
            step = min(0.025, step * 1.5)

    def _kill(self, began: float) -> float:
        least = 0
        end = time.monotonic() + VERIFY
        while (now := time.monotonic()) < end:
            left = self.backend.kill()
            self.ended = max(self.ended, left)
            if self._wait_empty(0.05):
                break
            if not least or left < least:  # a crowd takes its time to go, and is not given up while it becomes smaller
                least, end = left, now + VERIFY
        return time.monotonic() - began

    def _leftover(self) -> int:
        """What outlives the command: ended or left, as asked. How many there were."""
        if self._wait_empty(0) or self._wait_empty(SETTLE):
            return 0
        count = len(self.backend.members())
        if self.spec.leftover == "kill":
            self._terminate()
            self._kill(time.monotonic())
        return count
