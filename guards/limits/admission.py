"""Whether a job may start now: pure reckoning over a reading of the machine and the records of the others."""

from __future__ import annotations

from guards.limits.show import show_size
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.limits.ledger import Job
    from guards.limits.machine import Machine
    from guards.limits.options import Asked

MAX_PRESSURE = 2
MIN_FREE_PERCENT = 10.0
BYPASSES = 5
BYPASS_TIME = 60.0
"""A later job that fits may pass one that does not, at most this often and while that has waited less than this."""
SILENT = 10.0
"""Seconds after which a waiting job that no longer looks (stopped, suspended) does not hold up the others."""
PRESSURE_LEVELS = ((5.0, 1), (25.0, 2))
CRITICAL = 4


class Policy(Record):
    """Thresholds of admission: pressure level, free share in percent, bytes of free swap, load a CPU (None: not looked at)."""

    max_pressure: float = MAX_PRESSURE
    min_free_percent: float = MIN_FREE_PERCENT
    min_swap_free: int = 0
    max_load: float | None = None
    refuse_unknown: bool = False


class Answer(Record):
    """`refusing` names every reason; `notes` say each in words; `passes` are waiting jobs that would be passed."""

    admitted: bool
    refusing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    passes: tuple[Job, ...] = ()
    never: bool = False


def policy_of(asked: Asked) -> Policy:
    return Policy(
        MAX_PRESSURE if asked.max_pressure is None else asked.max_pressure,
        MIN_FREE_PERCENT if asked.min_memory_free_percent is None else asked.min_memory_free_percent,
        asked.min_swap_free or 0,
        asked.max_load_per_cpu,
        asked.refuse_unknown,
    )


def level(machine: Machine) -> int | None:
    """Memory pressure as 1 (normal), 2 (warning), 4 (critical), from the share of time that something stalled."""
    if machine.pressure_some is None:
        return None
    for bound, found in PRESSURE_LEVELS:
        if machine.pressure_some < bound:
            return found
    return CRITICAL


def room(machine: Machine, policy: Policy) -> int | None:
    """Bytes that jobs may still take: available less the floor; None when the machine does not tell."""
    if machine.available is None or machine.total is None:
        return None
    return machine.available - int(machine.total * policy.min_free_percent / 100)


def _swap(machine: Machine, policy: Policy) -> str | None:
    """What stands against a start because of swap, "" for nothing, None when that is not known."""
    if not policy.min_swap_free:
        return ""
    if machine.swap_free is None or machine.swap_total is None:
        return None
    return "too little swap is free" if machine.swap_total > policy.min_swap_free > machine.swap_free else ""


def _load(machine: Machine, policy: Policy) -> str | None:
    if policy.max_load is None:
        return ""
    if machine.load is None:
        return None
    return f"load {machine.load:.1f} a CPU is above {policy.max_load:g}" if machine.load > policy.max_load else ""


def _pressure(machine: Machine, policy: Policy) -> str | None:
    found = level(machine)
    if found is None:
        return None
    return (
        f"memory pressure {machine.pressure_some:.0f} % is above level {policy.max_pressure:g}"
        if found > policy.max_pressure
        else ""
    )


SIGNALS = {"pressure": _pressure, "swap": _swap, "load": _load}


def signals(machine: Machine, policy: Policy) -> tuple[list[tuple[str, str]], list[str]]:
    """(reasons against any start now, signals that are unknown)."""
    found = {name: look(machine, policy) for name, look in SIGNALS.items()}
    against = [(name, note) for name, note in found.items() if note]
    unknown = [name for name, note in found.items() if note is None]
    if machine.available is None:
        unknown.append("memory")
    if policy.refuse_unknown:
        against += [("unknown", f"{name} is unknown") for name in unknown]
    return against, unknown


def _fits(job: Job, free: int | None, others: Sequence[Job]) -> list[tuple[str, str]]:
    """What stands against this job alone: memory, its slot."""
    against = []
    if free is not None and job.budget > free and not job.within:
        against.append(("memory", f"{show_size(job.budget)} asked for, {show_size(max(0, free))} to give"))
    if job.slot:
        holders = [other for other in others if other.slot == job.slot and other.state == "running"]
        inside = any(other.identity == job.within for other in holders)
        if len(holders) >= job.most and not inside:
            against.append(("slot", f"slot {job.slot} is held by {', '.join(str(other.pid) for other in holders[:3])}"))
    return against


def decide(job: Job, others: Sequence[Job], machine: Machine, policy: Policy, now: float) -> Answer:
    """May `job` start now, beside `others` (all living jobs but this one)?

    Earlier tickets come first: one that fits now is waited for; one that does not may be passed within the bounds, but never by a
    job that wants the same slot. A job inside another is not queued for memory: its outer job holds the budget, waiting would deadlock.
    """
    free = room(machine, policy)
    against, unknown = signals(machine, policy)
    if free is not None:
        never = job.budget > (machine.total or 0) * (100 - policy.min_free_percent) / 100 and not job.within
        free -= sum(other.unrealised(now) for other in others)
    else:
        never = False
    against += _fits(job, free, others)
    passes = []
    for other in () if job.within else others:
        if other.state != "waiting" or other.ticket >= job.ticket or now - other.seen > SILENT:
            continue
        rivals = other.slot == job.slot or not other.slot
        hindered = [reason for reason, _ in _fits(other, free, others)]
        if not hindered or (other.slot and other.slot == job.slot):
            against.append(("queue", f"{other.pid} comes first"))
        elif "memory" in hindered or rivals:
            if other.passed >= BYPASSES or now - other.since >= BYPASS_TIME:
                against.append(("queue", f"{other.pid} has waited longest"))
            passes.append(other)
    refusing = tuple(dict.fromkeys(reason for reason, _ in against))
    return Answer(not against, refusing, tuple(note for _, note in against), tuple(unknown), tuple(passes), never)
