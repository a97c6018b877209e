"""What a running job does every one to five seconds: renew its record, and see that the machine keeps its reserve."""

from __future__ import annotations

import time

from guards.limits import ledger
from guards.limits.limits import bytes_of
from guards.limits.machine import BURST, survey
from guards.limits.store import Busy, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Backend
    from guards.limits.ledger import Job
    from guards.limits.machine import Machine
    from guards.limits.spec import Amount
    from guards.limits.store import Store

RENEW = 10.0
"""Seconds after which an unchanged figure is written again, below ledger.STALE, and groups without a limit are asked again."""
STEP = 16 << 20
"""A change of fewer bytes is not worth a write."""
LEAST, MOST = 64 << 20, 512 << 20
"""Bounds of the reserve when it is given as a share."""
SHORT, LONG = 1.0, 5.0
"""Seconds between beats: when the reserve is near, and when nobody could take what is above it sooner."""
RELIEF = 3.0
"""Seconds that a job which was ended for the reserve gets to give its memory back before another one is."""


class Beat:
    """Called with the monotonic moment; gives "host" when this job has to end because the machine's reserve is crossed, else "".

    `pause` is in how many seconds the next call is due.
    """

    def __init__(self, store: Store | None, job: Job, backend: Backend, reserve: Amount) -> None:
        self.store = store
        self.job = job
        self.backend = backend
        self.reserve = reserve
        self.warning = ""
        self.pause = SHORT
        self._groups_at = 0.0

    def __call__(self, _now: float) -> str:
        now = time.monotonic()
        machine = survey(groups=now >= self._groups_at, swap=False)
        if now >= self._groups_at and not machine.confined:
            self._groups_at = now + RENEW
        spare = None if machine.available is None else machine.available - floor_of(self.reserve, machine)
        self.pause = SHORT if spare is None else min(LONG, max(SHORT, spare / BURST))
        # who takes most is decided by what the jobs have published: near the reserve by what they take now
        own = self.backend.memory(fresh=spare is not None and self.pause == SHORT)
        self._publish(own, now)
        return "host" if spare is not None and spare < 0 and self._largest(own, now) else ""

    def _publish(self, own: int, now: float) -> None:
        try:
            if self.store is not None and (
                self.job.observed == 0 or abs(own - self.job.observed) >= STEP or now - self.job.seen >= RENEW
            ):
                self.job = self.job.replace(observed=own, seen=now)
                ledger.publish(self.store, self.job)
        except StoreError as error:
            self.warning = str(error)
            self.store = None

    def _largest(self, own: int, now: float) -> bool:
        """Whether of all running jobs this one takes most, and none was ended for the reserve just now."""
        if self.store is None:
            return own >= LEAST
        try:
            try:
                with self.store.within(0):
                    return self._takes_most(self.store, own, now)
            except Busy:  # the machine does not wait for who stopped with the lock in hand; records are whole files without it too
                return self._takes_most(self.store, own, now)
        except StoreError:
            return False

    def _takes_most(self, store: Store, own: int, now: float) -> bool:
        if 0 <= now - _moment(store.read(".relief").partition(" ")[2]) < RELIEF:
            return False
        living, _ = ledger.jobs(store)
        others = [job for job in living if job.state == "running" and job.identity != self.job.identity]
        if own < LEAST or any((job.observed, job.identity) > (own, self.job.identity) for job in others):
            return False
        store.write(".relief", f"{self.job.identity} {now}")
        return True


def _moment(text: str) -> float:
    """Long ago where it cannot be read."""
    try:
        return float(text)
    except ValueError:
        return -1e9


def floor_of(reserve: Amount, machine: Machine) -> int:
    """Bytes that stay free: a share within bounds, or a size as it is."""
    found = bytes_of(reserve, machine) or 0
    return max(LEAST, min(MOST, found)) if reserve.kind == "percent" else found
