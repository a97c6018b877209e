"""One run from the options to the exit code: limits, admission, backend, the command, the report."""

from __future__ import annotations

import posix
import time

from guards.limits import history, ledger, limits, signals, workers
from guards.limits import plan as plans
from guards.limits.backends import Wish
from guards.limits.choose import Unfit, choose
from guards.limits.codes import NOT_ADMITTED, OURS, NotAdmitted
from guards.limits.history import Entry
from guards.limits.procfs import MARKER, apart
from guards.limits.say import say
from guards.limits.spawn import Start
from guards.limits.store import Store, StoreError
from guards.limits.supervise import Supervisor
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.backends import Backend, Usage
    from guards.limits.beat import Beat
    from guards.limits.ledger import Job
    from guards.limits.options import Asked
    from guards.limits.plan import Plan
    from guards.limits.supervise import Outcome


class Ended(Record):
    """A run that is over."""

    outcome: Outcome
    backend: str
    kernel: bool
    applied: dict[str, float]
    warnings: tuple[str, ...] = ()
    throttled: float = 0.0


def run(asked: Asked, layout: Layout, began: float) -> int:
    """The exit code of the command, or ours. Dies of the command's signal."""
    asked, found = plans.configured(asked, layout)
    if asked.report_json is not None:
        from guards.limits import deliver

        if problem := deliver.refuses(asked.report_json):
            say(f"with-limits: --report-json {asked.report_json}: {problem}; nothing was run")
            return OURS
    plan = plans.plan(asked, found, layout, began)
    store, warnings = _store(plan)
    try:
        ended, waited = _with_backend(plan, store, warnings)
    except Unfit as error:
        say(f"with-limits: {error}")
        return OURS
    except NotAdmitted as error:
        say(f"with-limits: {error}")
        return NOT_ADMITTED
    return _finish(plan, ended, waited)


def _finish(plan: Plan, ended: Ended, waited: float) -> int:
    """Tell, remember, and end as the command ended; by now nothing of the run is left."""
    outcome, asked, job = ended.outcome, plan.asked, plan.job
    if outcome.reason == "exit" and outcome.code is not None and not _remarkable(outcome, asked):
        code = outcome.code
    else:
        from guards.limits import report

        code = report.finish(asked, report.run_of(plan, ended, waited))
    if outcome.started.pid:
        usage = outcome.usage
        figures = (
            _need(usage),
            round(outcome.wall, 3),
            round(usage.cpu, 3),
            outcome.reason,
            code,
        )
        history.add(plan.layout, Entry(job.command, job.cwd, round(time.time(), 1), *figures))
    if outcome.signal and outcome.reason in {"signal", "interrupted"}:
        signals.die_of(outcome.signal)
    return code


def _need(usage: Usage) -> int:
    """Bytes that the command needed: the most of its own that was seen, or all that was charged but page cache."""
    return max(usage.anonymous or 0, (usage.peak or 0) - (usage.cache or 0))


def _remarkable(outcome: Outcome, asked: Asked) -> bool:
    """Whether there is more to say than the command's own code."""
    return asked.report or asked.report_json is not None or bool(outcome.survivors or outcome.usage.refused)


def _store(plan: Plan) -> tuple[Store | None, tuple[str, ...]]:
    """The folder of jobs. A run that needs no admission goes on without it, with a warning."""
    try:
        return Store(f"{plan.layout.runtime}/limits"), ()
    except StoreError as error:
        return None, (_unlisted(plan.asked, error),)


def _unlisted(asked: Asked, error: StoreError) -> str:
    """Only what has to be admitted needs a record. Raises the error for that."""
    if plans.gated(asked):
        raise error
    say(f"with-limits: {error}; this run is not listed and reserves nothing")
    return str(error)


def _with_backend(plan: Plan, store: Store | None, warnings: tuple[str, ...]) -> tuple[Ended, float]:
    """Make the limits, wait to be admitted, run the command in them, take them away: (the end, seconds waited).

    Raises Unfit or NotAdmitted. The limits come first because one backend starts this process again.
    """
    asked = plan.asked
    aggregate = limits.bytes_of(plan.settings.aggregate, plan.machine)
    backend = choose(asked, Wish(plan.job.identity + apart(), plan.spec, aggregate, asked.oom_partial), store, say)
    kept = False
    job = plan.job.replace(backend=backend.name, groups=backend.groups)
    try:
        job, waited = _enter(store, job, asked)
        ended = _supervised(plan, job, backend, store)
        kept = bool(ended.outcome.leftover) and plan.spec.leftover == "leave" and bool(backend.groups)
    finally:
        backend.close()
        _leave(store, job, kept=kept)
    return ended.replace(warnings=(*warnings, *ended.warnings)), waited


def _enter(store: Store | None, job: Job, asked: Asked) -> tuple[Job, float]:
    """Publish the job as running, at once or when it is admitted: (the job, seconds waited)."""
    if store is None:
        return job, 0.0
    if not plans.gated(asked):
        job = job.replace(seen=time.monotonic())
        try:
            ledger.enter(store, job, say)
        except StoreError as error:
            _unlisted(asked, error)
        return job, 0.0
    from guards.limits import queue

    return queue.pass_through(store, job, asked)


def _supervised(plan: Plan, job: Job, backend: Backend, store: Store | None) -> Ended:
    environment = workers.environment(posix.environ, plan.spec, plan.settings, plan.machine.cpus)
    environment[MARKER] = f"{job.identity}{apart()}".encode()

    def beat() -> Beat:
        from guards.limits.beat import Beat

        return Beat(store, plans.informed(plan, job), backend, plan.settings.reserve)

    supervisor = Supervisor(plan.spec, backend, tie=_held(plan.asked.tie_to), beat=beat)
    own_group = not signals.has_terminal()
    box = f"{plan.layout.compiled}/box"
    start = Start(plan.argv, environment, own_group, backend.entrance, backend.threads, box)
    outcome = supervisor.run(start, plan.began)
    throttled = supervisor.duty.throttled if supervisor.duty is not None else 0.0
    return Ended(outcome, backend.name, backend.kernel, backend.applied, tuple(backend.warnings), throttled)


def _held(pid: int | None) -> int:
    """A descriptor that becomes readable when that process ends; -1 for none. Raises UsageError when it has ended already."""
    if pid is None:
        return -1
    try:
        return posix.pidfd_open(pid)
    except OSError as error:
        from guards.limits.options import UsageError

        raise UsageError(f"--tie-to {pid}: {error.strerror}") from None


def _leave(store: Store | None, job: Job, *, kept: bool) -> None:
    """Take the record away, or mark it when processes were left on purpose; wake who waits."""
    if store is None:
        return
    try:
        if not kept:
            store.remove(job.identity)
        else:
            ledger.publish(store, job.replace(state="left"))
    except StoreError as error:
        say(f"with-limits: {error}; what was left over is not listed")
    store.pulse()
