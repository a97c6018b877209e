"""One run from the options to the exit code: limits, admission, backend, the command, the report."""

from __future__ import annotations

import posix
import time

from guards.limits import history, ledger, limits, machine, nested, report, settings, signals, workers
from guards.limits.backends import Wish
from guards.limits.beat import Beat
from guards.limits.choose import Unfit, choose
from guards.limits.history import Entry
from guards.limits.ledger import Job
from guards.limits.options import UsageError
from guards.limits.procfs import boot_id, stat
from guards.limits.report import Run
from guards.limits.say import say
from guards.limits.spawn import Start
from guards.limits.spec import Amount
from guards.limits.store import Store, StoreError, replace
from guards.limits.supervise import Supervisor
from guards.wire import encode
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.backends import Backend
    from guards.limits.machine import Machine
    from guards.limits.options import Asked
    from guards.limits.settings import Settings
    from guards.limits.supervise import Outcome
    from policy.model import LimitSpec

MARKER = b"WITH_LIMITS_ID"
DEFAULT_SHELL = "/bin/sh"
MODEST = 1 << 30
"""Bytes reserved for a job of which nothing is known."""


class Plan(Record):
    """A run that is about to start."""

    asked: Asked
    settings: Settings
    machine: Machine
    spec: LimitSpec
    argv: tuple[str, ...]
    job: Job
    began: float


def run(asked: Asked, layout: Layout, began: float) -> int:
    """The exit code of the command, or ours. Dies of the command's signal."""
    found = settings.load(layout)
    asked = settings.apply(found, asked)
    plan = _plan(asked, found, layout, began)
    store, warnings = _store(layout, plan)
    waited = 0.0
    job = plan.job
    if _gated(asked) and store is not None:
        from guards.limits import queue

        try:
            job, waited = queue.pass_through(store, job, asked)
        except queue.NotAdmitted as error:
            say(f"with-limits: {error}")
            return report.NOT_ADMITTED
    try:
        done = _with_backend(plan.replace(job=job), store, (waited, warnings))
    except Unfit as error:
        say(f"with-limits: {error}")
        return report.OURS
    finally:
        _leave(store, job)
    return _finish(done, plan, layout)


def _finish(done: Run, plan: Plan, layout: Layout) -> int:
    """Tell, remember, and end as the command ended; by now nothing of the run is left."""
    outcome = done.outcome
    code = report.exit_code(done)
    if plan.asked.report or report.worth_a_line(done):
        say(report.line(done))
    if plan.asked.report_json is not None:
        replace(plan.asked.report_json, encode(report.document(done, time.time())) + "\n")
    if outcome.started.pid:
        job = plan.job
        peak = outcome.usage.anonymous or outcome.usage.peak or 0
        wall, cpu = round(outcome.wall, 3), round(outcome.usage.cpu, 3)
        history.add(layout, Entry(job.command, job.cwd, round(time.time(), 1), peak, wall, cpu, outcome.reason, code))
    if outcome.signal and outcome.reason in {"signal", "interrupted"}:
        signals.die_of(outcome.signal)
    return code


def _plan(asked: Asked, found: Settings, layout: Layout, began: float) -> Plan:
    own = stat("self")
    surveyed = machine.survey()
    spec = limits.resolve(asked, surveyed, Amount("auto"))
    argv = asked.command if asked.text is None else (asked.shell or DEFAULT_SHELL, "-c", asked.text)
    cwd = _cwd()
    command = history.key(argv, asked.text)
    within = nested.outer(posix.environ)
    job = Job(
        identity=f"{posix.getpid()}-{own.start if own is not None else 0}",
        boot=boot_id(),
        state="running",
        command=command,
        cwd=cwd,
        budget=_budget(asked, spec, layout, (command, cwd)),
        since=time.time(),
        ticket=time.time_ns(),
        slot=asked.slot.name if asked.slot is not None else "",
        most=asked.slot.most if asked.slot is not None else 1,
        within=within,
        limit=spec.memory or 0,
    )
    return Plan(asked, found, surveyed, spec, argv, job, began)


def _cwd() -> str:
    try:
        return posix.getcwd()
    except OSError:
        return ""


def _budget(asked: Asked, spec: LimitSpec, layout: Layout, key: tuple[str, str]) -> int:
    """Bytes to reserve: what is asked for, else what this command took before, else its limit if that was chosen, else a modest guess."""
    if not asked.reservation:
        return 0
    if asked.reserve is not None:
        return asked.reserve
    if asked.memory is not None and asked.memory.kind in {"bytes", "percent"}:
        return spec.memory or 0
    known = history.learned(layout, *key)
    if known is not None:
        return known
    return MODEST if spec.memory is None else min(MODEST, spec.memory)


def _gated(asked: Asked) -> bool:
    """Whether this run has to be admitted: it was asked to wait, wants a slot, or gives a threshold."""
    thresholds = (asked.max_pressure, asked.min_memory_free_percent, asked.min_swap_free, asked.max_load_per_cpu)
    return asked.wait is not None or asked.slot is not None or asked.refuse_unknown or thresholds != (None,) * 4


def _store(layout: Layout, plan: Plan) -> tuple[Store | None, tuple[str, ...]]:
    """The folder of jobs. A run that needs no admission goes on without it, with a warning."""
    try:
        return Store(f"{layout.runtime}/limits"), ()
    except StoreError as error:
        if _gated(plan.asked):
            raise
        say(f"with-limits: {error}; this run is not listed and reserves nothing")
        return None, (str(error),)


def _with_backend(plan: Plan, store: Store | None, before: tuple[float, tuple[str, ...]]) -> Run:
    """Make the limits, run the command in them, take them away. Raises Unfit."""
    asked = plan.asked
    wish = Wish(plan.job.identity, plan.spec, limits.bytes_of(plan.settings.aggregate, plan.machine))
    backend = choose(asked, wish, store, say)
    try:
        job = plan.job.replace(backend=backend.name, groups=backend.groups, seen=time.time())
        if store is not None:
            ledger.enter(store, job, say)
        supervisor, outcome, beat = _supervised(plan, job, backend, store)
        if outcome.leftover and plan.spec.leftover == "leave" and store is not None:
            ledger.publish(store, beat.job.replace(state="left"))
    finally:
        backend.close()
    return Run(
        identity=job.identity,
        argv=plan.argv,
        spec=plan.spec,
        backend=backend.name,
        kernel=backend.kernel,
        applied=backend.applied,
        warnings=(*before[1], *backend.warnings, *((beat.warning,) if beat.warning else ())),
        outcome=outcome,
        waited=before[0],
        oom_partial=asked.oom_partial,
        throttled=supervisor.duty.throttled if supervisor.duty else 0.0,
    )


def _supervised(plan: Plan, job: Job, backend: Backend, store: Store | None) -> tuple[Supervisor, Outcome, Beat]:
    environment = workers.environment(posix.environ, plan.spec, plan.settings, plan.machine.cpus)
    environment[MARKER] = job.identity.encode()
    beat = Beat(store, job, backend, plan.settings.reserve)
    supervisor = Supervisor(plan.spec, backend, tie=_held(plan.asked.tie_to), every=beat)
    start = Start(plan.argv, environment, own_group=not signals.has_terminal())
    return supervisor, supervisor.run(start, plan.began), beat


def _held(pid: int | None) -> int:
    """A descriptor that becomes readable when that process ends; -1 for none. Raises UsageError when it has ended already."""
    if pid is None:
        return -1
    try:
        return posix.pidfd_open(pid)
    except OSError as error:
        raise UsageError(f"--tie-to {pid}: {error.strerror}") from None


def _leave(store: Store | None, job: Job) -> None:
    """Take the record away, unless processes were left on purpose; wake who waits."""
    if store is None:
        return
    kept = ledger.parse(job.identity, store.read(job.identity))
    if kept is None or kept.state != "left":
        store.remove(job.identity)
    store.pulse()
