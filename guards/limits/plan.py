"""What a run is going to be: options completed, limits resolved, its record made out, what it reserves."""

from __future__ import annotations

import posix
import time

from guards.limits import history, limits, machine, numbers
from guards.limits.ledger import Job
from guards.limits.procfs import MARKER, exists, numbering, own
from guards.limits.settings import Settings
from guards.limits.spec import Amount
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.limits.limits import LimitSpec
    from guards.limits.machine import Machine
    from guards.limits.options import Asked

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


def configured(asked: Asked, layout: Layout) -> tuple[Asked, Settings]:
    """The options completed from the configuration, where there is one. Raises UsageError."""
    if asked.profile is None and not any(exists(f"{folder}/config.toml") for folder in (layout.managed, layout.config)):
        return asked, Settings()
    from guards.limits import configured

    found = configured.load(layout)
    return configured.apply(found, asked), found


def plan(asked: Asked, found: Settings, layout: Layout, began: float) -> Plan:
    """The run that these options come to on this machine, here and now; `began` is when this process did."""
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
        identity=f"{numbers.ours()}-{this.start if this is not None else 0}",
        boot=numbering(),
        state="running",
        command=command,
        cwd=cwd,
        budget=budget_of(asked, spec, layout, (command, cwd)),
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


def budget_of(asked: Asked, spec: LimitSpec, layout: Layout, key: tuple[str, str]) -> int:
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


def informed(plan: Plan, job: Job) -> Job:
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
