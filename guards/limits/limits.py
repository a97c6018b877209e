"""From what was asked to the limits of this run: profile, configuration and defaults, with relative sizes made absolute."""

from __future__ import annotations

from guards.limits.spec import SMALLEST_MEMORY
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.machine import Machine
    from guards.limits.options import Asked
    from guards.limits.spec import Amount

AUTO_OF_TOTAL, AUTO_OF_AVAILABLE = 0.5, 0.7
"""`auto` is the smaller of these shares: a fixed cap would be wrong on a small machine and on a large one."""
PIDS = 4096
NICE = 5
GRACE = 2.0


class LimitSpec(Record):
    """Limits of one process tree: bytes, cores, seconds, counts; None means not limited."""

    memory: int | None = None
    swap: int | None = None
    cpu: float | None = None
    cpu_time: float | None = None
    time: float | None = None
    pids: int | None = None
    kill_after: float = GRACE
    nice: int | None = None
    address_space: int | None = None
    file_size: int | None = None
    open_files: int | None = None
    core: int | None = 0
    leftover: str = "kill"


def bytes_of(amount: Amount, machine: Machine) -> int | None:
    """The bytes that an Amount means on this machine; None for no limit, and when the machine does not say what it has."""
    if amount.kind == "bytes":
        return int(amount.value)
    if amount.kind == "none" or machine.total is None:
        return None
    if amount.kind == "percent":
        return int(machine.total * amount.value / 100)
    available = machine.total if machine.available is None else machine.available
    return int(min(machine.total * AUTO_OF_TOTAL, available * AUTO_OF_AVAILABLE))


def resolve(asked: Asked, machine: Machine, auto: Amount) -> LimitSpec:
    """The numbers to keep. Without `--memory` the default `auto` holds: a run is never without a bound unless `none` asks for it.

    Raises UsageError for a percentage that comes to less than any program needs.
    """
    amount = auto if asked.memory is None else asked.memory
    memory = bytes_of(amount, machine)
    if amount.kind == "percent" and memory is not None and memory < SMALLEST_MEMORY:
        from guards.limits.options import UsageError

        least = f"the least is {SMALLEST_MEMORY >> 20} MiB"
        raise UsageError(f"--memory: {amount.value:g}% is {memory >> 10} KiB here, too small for any program; {least}")
    return LimitSpec(
        memory=memory,
        swap=asked.swap,
        cpu=asked.cpu,
        cpu_time=asked.cpu_time,
        time=asked.time,
        pids=PIDS if asked.pids is None and "pids" not in asked.lifted else asked.pids,
        kill_after=GRACE if asked.kill_after is None else asked.kill_after,
        nice=NICE if asked.nice is None else asked.nice,
        address_space=asked.address_space,
        file_size=asked.file_size,
        open_files=asked.open_files,
        core=0 if asked.core is None and "core" not in asked.lifted else asked.core,
        leftover="kill" if asked.leftover is None else asked.leftover,
    )
