"""What the machine has left: memory, swap, load and pressure, narrowed by the groups that we stand in. Unknown is None, never invented."""

from __future__ import annotations

import posix

from guards.limits.cgroups import Place, ancestors, here
from guards.limits.procfs import number, read, table
from policy.record import Record

UNLIMITED = 1 << 60
BURST = 4e9
"""Bytes a second that the programs of a machine may begin to take at any moment."""


class Machine(Record):
    """Bytes, except load (per CPU) and pressure (avg10 of memory `some` and `full`, percent).

    `confined` says that a group that we stand in has a limit, so that total and available may be its.
    """

    total: int | None = None
    available: int | None = None
    swap_total: int | None = None
    swap_free: int | None = None
    cpus: int = 1
    load: float | None = None
    pressure_some: float | None = None
    pressure_full: float | None = None
    confined: bool = False


def _meminfo(text: bytes, name: bytes) -> int | None:
    """One line of /proc/meminfo in bytes; None unless it is there, a number and in kB."""
    start = 0 if text.startswith(name + b":") else text.find(b"\n" + name + b":") + 1
    if start == 0 and not text.startswith(name + b":"):
        return None
    words = text[start : text.find(b"\n", start)].split()
    return int(words[1]) << 10 if len(words) == 3 and words[2] == b"kB" and words[1].isdigit() else None


def room(place: Place) -> tuple[int, int] | None:
    """(limit, free) of the tightest group from ours up to the mount, page cache that can be dropped counted as free; None without a limit."""
    names = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes") if place.version == 1 else ("memory.max", "memory.current")
    )
    cache = b"total_inactive_file" if place.version == 1 else b"inactive_file"
    tightest = None
    for folder in ancestors(place):
        limit = number(f"{folder}/{names[0]}")
        if limit is None or limit >= UNLIMITED:
            continue
        used = number(f"{folder}/{names[1]}") or 0
        used -= min(used, table(folder + "/memory.stat").get(cache, 0))
        found = (limit, max(0, limit - used))
        if tightest is None or found[1] < tightest[1]:
            tightest = found
    return tightest


def _pressure(text: str) -> tuple[float | None, float | None]:
    found: dict[str, float] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(" avg10=")
        try:
            found[kind] = float(rest.split(" ", 1)[0])
        except ValueError:
            continue
    return found.get("some"), found.get("full")


def survey(*, thorough: bool = False, groups: bool = True, swap: bool = True) -> Machine:
    """A reading of this moment; load and pressure only when `thorough`, limits of the groups that we stand in only with `groups`."""
    memory = read("/proc/meminfo")
    if not memory:
        return _portable()
    total, available = _meminfo(memory, b"MemTotal"), _meminfo(memory, b"MemAvailable")
    place = (here().get("memory") or here().get("unified")) if groups else None
    tight = room(place) if place is not None else None
    if tight is not None and total is not None and available is not None:
        total, available = min(total, tight[0]), min(available, tight[1])
    try:
        cpus = len(posix.sched_getaffinity(0))
    except (AttributeError, OSError):
        cpus = 1
    load = some = full = None
    if thorough:
        some, full = _pressure(read("/proc/pressure/memory").decode("ascii", "replace"))
        first = read("/proc/loadavg").split(b" ", 1)[0]
        load = float(first) / cpus if first else None
    swapped = (_meminfo(memory, b"SwapTotal"), _meminfo(memory, b"SwapFree")) if swap else (None, None)
    return Machine(total, available, *swapped, cpus, load, some, full, tight is not None)


def _portable() -> Machine:
    """Through psutil, where there is no /proc."""
    try:
        import psutil

        memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    except (ImportError, OSError):  # on Linux psutil reads /proc too
        return Machine()
    return Machine(memory.total, memory.available, swap.total, swap.free, posix.cpu_count() or 1)
