"""One run from the options to the exit code: limits, admission, backend, the command, the report."""

from __future__ import annotations

import posix
import time

from guards.limits import history, ledger, limits, machine, signals, workers
from guards.limits.backends import Wish
from guards.limits.choose import Unfit, choose
from guards.limits.codes import NOT_ADMITTED, OURS, NotAdmitted
from guards.limits.history import Entry
from guards.limits.ledger import Job
from guards.limits.procfs import boot_id, exists, own
from guards.limits.say import say
from guards.limits.settings import Settings
from guards.limits.spawn import Start
from guards.limits.spec import Amount
from guards.limits.store import Store, StoreError
from guards.limits.supervise import Supervisor
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.backends import Backend, Usage
    from guards.limits.beat import Beat
    from guards.limits.limits import LimitSpec
    from guards.limits.machine import Machine
    from guards.limits.options import Asked
    from guards.limits.supervise import Outcome

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
    layout: Layout
    began: float


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
    asked, found = _configured(asked, layout)
    if asked.report_json is not None and not posix.access(_folder(asked.report_json), posix.W_OK | posix.X_OK):
        say(f"with-limits: --report-json {asked.report_json}: its folder cannot be written; nothing was run")
        return OURS
    plan = _plan(asked, found, layout, began)
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


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or ("/" if path.startswith("/") else ".")


def _configured(asked: Asked, layout: Layout) -> tuple[Asked, Settings]:
    """The options completed from the configuration, where there is one. Raises UsageError."""
    if asked.profile is None and not any(exists(f"{folder}/config.toml") for folder in (layout.managed, layout.config)):
        return asked, Settings()
    from guards.limits import configured

    found = configured.load(layout)
    return configured.apply(found, asked), found


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


def _plan(asked: Asked, found: Settings, layout: Layout, began: float) -> Plan:
    this = own()
    surveyed = machine.survey()
    spec = limits.resolve(asked, surveyed, Amount("auto"))
    argv = asked.command if asked.text is None else (asked.shell or DEFAULT_SHELL, "-c", asked.text)
    cwd = _cwd()
    command = history.key(argv, asked.text)
    within = ""
    if MARKER in posix.environ:
        from guards.limits import nested

        within = nested.outer(posix.environ)
    job = Job(
        identity=f"{posix.getpid()}-{this.start if this is not None else 0}",
        boot=boot_id(),
        state="running",
        command=command,
        cwd=cwd,
        budget=_budget(asked, spec, layout, (command, cwd)),
        since=time.monotonic(),
        slot=asked.slot.name if asked.slot is not None else "",
        most=asked.slot.most if asked.slot is not None else 1,
        within=within,
        limit=spec.memory or 0,
    )
    return Plan(asked, found, surveyed, spec, argv, job, layout, began)


def _cwd() -> str:
    try:
        return posix.getcwd()
    except OSError:
        return ""


def _budget(asked: Asked, spec: LimitSpec, layout: Layout, key: tuple[str, str]) -> int:
    """Bytes to reserve: what is asked for, else its limit if that was chosen, else what this command took before, else a modest guess.

    A run that does not queue looks up what it took before only with its first beat.
    """
    if not asked.reservation:
        return 0
    if asked.reserve is not None:
        return asked.reserve
    if asked.memory is not None and asked.memory.kind in {"bytes", "percent"}:
        return spec.memory or 0
    known = history.learned(layout, *key) if gated(asked) else None
    if known is not None:
        return known
    return MODEST if spec.memory is None else min(MODEST, spec.memory)


def gated(asked: Asked) -> bool:
    """Whether this run has to be admitted: it was asked to wait, wants a slot, or gives a threshold."""
    thresholds = (asked.max_pressure, asked.min_memory_free_percent, asked.min_swap_free, asked.max_load_per_cpu)
    return asked.wait is not None or asked.slot is not None or asked.refuse_unknown or thresholds != (None,) * 4


def _store(plan: Plan) -> tuple[Store | None, tuple[str, ...]]:
    """The folder of jobs. A run that needs no admission goes on without it, with a warning."""
    try:
        return Store(f"{plan.layout.runtime}/limits"), ()
    except StoreError as error:
        if gated(plan.asked):
            raise
        say(f"with-limits: {error}; this run is not listed and reserves nothing")
        return None, (str(error),)


def _with_backend(plan: Plan, store: Store | None, warnings: tuple[str, ...]) -> tuple[Ended, float]:
    """Make the limits, wait to be admitted, run the command in them, take them away: (the end, seconds waited).

    Raises Unfit or NotAdmitted. The limits come first because one backend starts this process again.
    """
    asked = plan.asked
    aggregate = limits.bytes_of(plan.settings.aggregate, plan.machine)
    backend = choose(asked, Wish(plan.job.identity, plan.spec, aggregate, asked.oom_partial), store, say)
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
    if not gated(asked):
        job = job.replace(seen=time.monotonic())
        ledger.enter(store, job, say)
        return job, 0.0
    from guards.limits import queue

    return queue.pass_through(store, job, asked)


def _supervised(plan: Plan, job: Job, backend: Backend, store: Store | None) -> Ended:
    environment = workers.environment(posix.environ, plan.spec, plan.settings, plan.machine.cpus)
    environment[MARKER] = job.identity.encode()
    beats: list[Beat] = []

    def beat(now: float) -> str:
        if not beats:
            from guards.limits.beat import Beat

            beats.append(Beat(store, _informed(plan, job), backend, plan.settings.reserve))
        return beats[0](now)

    supervisor = Supervisor(plan.spec, backend, tie=_held(plan.asked.tie_to), every=beat)
    own_group = not signals.has_terminal()
    box = f"{plan.layout.compiled}/box"
    start = Start(plan.argv, environment, own_group, backend.entrance, backend.threads, box)
    outcome = supervisor.run(start, plan.began)
    throttled = supervisor.duty.throttled if supervisor.duty is not None else 0.0
    return Ended(outcome, backend.name, backend.kernel, backend.applied, tuple(backend.warnings), throttled)


def _informed(plan: Plan, job: Job) -> Job:
    """The job with what its command took before as its budget, where that was left to us."""
    asked = plan.asked
    if (
        not asked.reservation
        or asked.reserve is not None
        or job.budget not in {MODEST, plan.spec.memory}
        or gated(asked)
    ):
        return job
    if asked.memory is not None and asked.memory.kind in {"bytes", "percent"}:
        return job
    known = history.learned(plan.layout, job.command, job.cwd)
    return job if known is None else job.replace(budget=known)


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
    if kept:
        ledger.publish(store, job.replace(state="left"))
    else:
        store.remove(job.identity)
    store.pulse()
