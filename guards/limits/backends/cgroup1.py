"""Control groups of version 1, where their hierarchies can be written (as root): memory, pids, cpu; killed through the unified tree if there."""

from __future__ import annotations

import posix

from guards.limits.backends.group import MOST_PROCESSES, SLICE, Groups, Names, bound, make
from guards.limits.cgroups import here
from guards.limits.procfs import exists, number, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish
    from guards.limits.cgroups import Place

NAMES = Names(
    memory="memory.limit_in_bytes",
    memory_peak="memory.max_usage_in_bytes",
    kills="memory.oom_control",
    local="",
    own=(b"total_rss", b"total_shmem"),
    cache=b"total_cache",
    shared=b"total_shmem",
    throttled_line=b"throttled_time",
)
PERIOD = 100_000
"""Microseconds of one CPU quota period."""
POLLIN = 1


def folder_for(place: Place, identity: str) -> str:
    """A job inside a job goes below it; any other into the slice below our own group."""
    parent = place.own if f"/{SLICE}/" in place.own + "/" else f"{place.own}/{SLICE}"
    return f"{parent}/{identity}"


def create(wish: Wish) -> Groups | str:
    """The job's groups with every asked limit written and read back; a str when memory cannot be limited this way."""
    found = here()
    if "memory" not in found or found["memory"].version != 1:
        return "no version 1 memory controller is mounted"
    folders: dict[str, str] = {}
    for controller in _controllers(wish):
        if controller not in found:
            continue
        folder = folder_for(found[controller], wish.identity)
        try:
            if folder not in folders.values():
                make(folder)
        except OSError as error:
            if controller == "memory":
                return f"{folder} cannot be made: {error.strerror}"
            continue
        folders[controller] = folder
    killer = folders.pop("unified", "")
    leaf = tuple(dict.fromkeys((*folders.values(), *((killer,) if killer else ()))))
    can_kill = killer if killer and exists(killer + "/cgroup.kill") else ""
    groups = Groups("cgroup1", NAMES, folders, leaf, can_kill)
    groups.groups = leaf
    groups.partial = wish.partial
    above = folders["memory"].rpartition("/")[0]
    if above.endswith("/" + SLICE):
        bound(f"{above}/{NAMES.memory}", wish.aggregate)
    problem = _limit(groups, wish)
    if problem:
        groups.close()
        return problem
    return groups


def _controllers(wish: Wish) -> tuple[str, ...]:
    """Only those that this run needs: each costs two folders and a move of the child."""
    spec = wish.spec
    counted = spec.cpu_time is not None or "unified" not in here()
    wanted = {"pids": spec.pids is not None, "cpu": spec.cpu is not None, "cpuacct": counted}
    return ("memory", *(name for name, needed in wanted.items() if needed), "unified")


def _limit(groups: Groups, wish: Wish) -> str:
    """Write the limits, read each back into `applied`; the problem that makes this backend unfit, or ""."""
    spec, folders = wish.spec, groups.folders
    memory = folders["memory"]
    if spec.memory is not None:
        path = f"{memory}/{NAMES.memory}"
        write(path, spec.memory)
        if (kept := number(path)) is None or kept > spec.memory:
            return f"{path} does not keep the limit"
        groups.applied["memory"] = kept
        both = memory + "/memory.memsw.limit_in_bytes"
        if write(both, spec.memory + (spec.swap or 0)):
            groups.applied["swap"] = (number(both) or 0) - kept
    groups.events = _oom_event(memory)
    if spec.cpu_time is not None:
        groups.cpu_time = groups.applied["cpu_time"] = spec.cpu_time
    if spec.pids is not None and "pids" in folders:
        most = min(spec.pids, MOST_PROCESSES)
        write(folders["pids"] + "/pids.max", most)
        if (kept := number(folders["pids"] + "/pids.max")) == most:
            groups.applied["pids"] = kept
    if spec.cpu is not None and "cpu" in folders:
        path = folders["cpu"] + "/cpu.cfs_quota_us"
        write(folders["cpu"] + "/cpu.cfs_period_us", PERIOD)
        write(path, max(1000, int(spec.cpu * PERIOD)))
        if (kept := number(path)) is not None:
            groups.applied["cpu"] = kept / PERIOD
    return ""


def _oom_event(folder: str) -> tuple[tuple[int, int], ...]:
    """An eventfd that wakes at an OOM in the group. It means "look now"; it does not count (6 wake-ups were seen for 3 kills)."""
    event = posix.eventfd(0, posix.EFD_CLOEXEC | posix.EFD_NONBLOCK)
    control = posix.open(folder + "/memory.oom_control", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        if write(folder + "/cgroup.event_control", f"{event} {control}"):
            return ((event, POLLIN),)
    finally:
        posix.close(control)
    posix.close(event)
    return ()
