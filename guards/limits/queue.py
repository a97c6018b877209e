"""Take a place among the jobs of this user: publish, wait for room in order, start."""

from __future__ import annotations

import posix
import time

from guards.limits import admission, ledger, machine
from guards.limits.admission import Answer
from guards.limits.codes import NotAdmitted
from guards.limits.say import say
from guards.limits.show import show_duration
from guards.limits.store import Busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.limits.admission import Policy
    from guards.limits.ledger import Job
    from guards.limits.options import Asked
    from guards.limits.store import Store

LOOK = 0.1
"""Seconds between cheap looks (has a record changed?) and, times FULL, between full ones."""
FULL = 5
HEARTBEAT = 3.0
"""Seconds between records of a job that goes on waiting; well below admission.SILENT."""
FIRST_NOTICE, NEXT_NOTICE = 2.0, 30.0


class Waiting:
    """What a person sees while a job waits: one rewritten line on a terminal, else a line at 2 s and every 30 s."""

    def __init__(self, say: Callable[[str], None], *, quiet: bool) -> None:
        self.say = say
        self.quiet = quiet
        self.next = FIRST_NOTICE
        self.shown = False
        try:
            self.terminal = posix.isatty(2)
        except OSError:
            self.terminal = False

    def show(self, waited: float, place: int, notes: tuple[str, ...]) -> None:
        if self.quiet or waited < self.next:
            return
        self.next = waited + (1.0 if self.terminal else NEXT_NOTICE)
        text = f"with-limits: waiting for {show_duration(waited)}, place {place}: {'; '.join(notes)}"
        if self.terminal:
            posix.write(2, f"\r\x1b[K{text[:160]}".encode())
            self.shown = True
        else:
            self.say(text)

    def end(self) -> None:
        if self.shown:
            posix.write(2, b"\r\x1b[K")


def _look(store: Store, job: Job, policy: Policy) -> tuple[Job, Answer, int]:
    """One decision under the lock: publishes the job as running or waiting. The place is 1 for the first in the queue."""
    with store:
        living = ledger.settle(store, say)
        others = [other for other in living if other.identity != job.identity]
        now = time.monotonic()
        own = next((mine for mine in living if mine.identity == job.identity), None)
        if own is None:
            job = job.replace(ticket=1 + max((other.ticket for other in others), default=0))
        answer = admission.decide(job, others, machine.survey(thorough=True), policy, now)
        if answer.admitted:
            for passed in answer.passes:
                ledger.publish(store, passed.replace(passed=passed.passed + 1))
            job = job.replace(state="running", seen=now, why=(), observed=0)
            ledger.publish(store, job)
            store.pulse()
        else:
            waits = job.replace(state="waiting", seen=now, why=answer.refusing, passed=own.passed if own else 0)
            if own is None or now - own.seen > HEARTBEAT or own.why != waits.why:
                ledger.publish(store, waits)
            job = waits
        place = 1 + sum(other.state == "waiting" and other.ticket < job.ticket for other in others)
    return job, answer, place


def wait(store: Store, job: Job, policy: Policy, bound: float, waiting: Waiting) -> Job:
    """Return when admitted, published as running. Raises NotAdmitted once `bound` seconds have passed; then no record is left."""
    began = time.monotonic()
    place = 1
    try:
        while True:
            try:
                job, answer, place = _look(store, job, policy)
            except Busy as error:
                answer = Answer(admitted=False, refusing=("lock",), notes=(str(error),))
            if answer.admitted:
                return job
            waited = time.monotonic() - began
            _give_up(answer, waited, bound)
            waiting.show(waited, place, answer.notes)
            _rest(store, bound - waited)
    except BaseException:
        store.remove(job.identity)
        raise
    finally:
        waiting.end()


def _give_up(answer: Answer, waited: float, bound: float) -> None:
    """Raises NotAdmitted when waiting is over or senseless."""
    notes = "; ".join(answer.notes)
    if answer.never:
        raise NotAdmitted(
            f"it asks for more than this machine could ever give beside --min-memory-free-percent: {notes}"
        )
    if bound <= 0:
        raise NotAdmitted(f"not admitted: {notes}")
    if waited >= bound:
        raise NotAdmitted(f"not admitted within {show_duration(bound)}: {notes}")


def _rest(store: Store, left: float) -> None:
    """Until it is worth while to look again: half a second, or as soon as a job ends."""
    pulse = store.pulsed()
    for _ in range(FULL):
        time.sleep(max(0.0, min(LOOK, left)))
        if store.pulsed() != pulse:
            return


def pass_through(store: Store, job: Job, asked: Asked) -> tuple[Job, float]:
    """Admit the job as the options say: (the job as it is now published, seconds waited). Raises NotAdmitted.

    A slot is waited for without a bound unless `--wait` gives one; thresholds alone decide at once.
    """
    bound = asked.wait if asked.wait is not None else float("inf") if asked.slot is not None else 0.0
    began = time.monotonic()
    admitted = wait(store, job, admission.policy_of(asked), bound, Waiting(say, quiet=asked.quiet))
    return admitted, time.monotonic() - began
