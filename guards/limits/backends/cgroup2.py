"""Control groups of version 2, where a group that we may write lies above us: a delegated user manager, a prepared slice, or root's own tree.

A/gatepost/            the slice: what all jobs from here may take together
A/gatepost/JOB/        one job: its limits, killed as a whole
A/gatepost/JOB/main    its processes: a group with limited children may hold none itself, so that a job can run inside a job
"""

from __future__ import annotations

import posix

from guards.limits.backends.group import MOST_PROCESSES, SLICE, Groups, Names, bound, make
from guards.limits.cgroups import ancestors, here
from guards.limits.procfs import number, read, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish

NAMES = Names(
    memory="memory.max",
    memory_peak="memory.peak",
    kills="memory.events",
    local="memory.events.local",
    own=(b"anon", b"shmem", b"kernel"),
    cache=b"file",
    shared=b"shmem",
    throttled_line=b"throttled_usec",
)
PERIOD = 100_000
"""Microseconds of one CPU quota period."""
LEAF = "main"
UNIT = "gatepost-job-"
"""Scopes that systemd made for a job begin with this."""
POLLPRI = 2


def create(wish: Wish) -> Groups | str:
    """The job's group with every asked limit written and read back; a str when memory cannot be limited this way."""
    place = here().get("unified")
    if place is None or not read(place.mount + "/cgroup.controllers"):
        return "no version 2 tree with controllers is mounted"
    problem = "no group above us has the memory controller and may be written"
    for above in ancestors(place):
        found = _below(above, wish)
        if isinstance(found, Groups):
            return found
        problem = found or problem
    return problem


def _below(above: str, wish: Wish) -> Groups | str:
    """The job below one ancestor, or why not ("" when it is plainly not ours)."""
    if "memory" not in read(above + "/cgroup.controllers").decode().split() or not posix.access(above, posix.W_OK):
        return ""
    if not _hand_down(above, wish):
        return f"{above} hands no memory controller down"
    inside = f"/{SLICE}/" in above + "/" and not above.endswith("/" + SLICE)
    folder = f"{above}/{wish.identity}" if inside else f"{above.removesuffix('/' + SLICE)}/{SLICE}/{wish.identity}"
    try:
        make(folder)
    except OSError as error:
        return f"{folder} cannot be made: {error.strerror}"
    groups = Groups(
        "cgroup2", NAMES, dict.fromkeys(("memory", "pids", "cpuacct"), folder), (f"{folder}/{LEAF}",), folder
    )
    groups.partial = wish.partial
    if f"/{UNIT}{wish.identity}.scope" in here()["unified"].own:
        groups.name = "scope"
    problem = _prepare(groups, wish, folder, inside=inside) or _limit(groups, wish, folder)
    if problem:
        groups.close()
        return problem
    return groups


def _hand_down(folder: str, wish: Wish) -> bool:
    """Have the controllers that the limits need in the children of a group; memory at least. Controllers that are there stay."""
    given = read(folder + "/cgroup.subtree_control").decode().split()
    offered = read(folder + "/cgroup.controllers").decode().split()
    wanted = ["memory", "pids", *(["cpu"] if wish.spec.cpu is not None else [])]
    for name in wanted:
        if name in offered and name not in given and write(folder + "/cgroup.subtree_control", "+" + name):
            given.append(name)
    return "memory" in given


def _prepare(groups: Groups, wish: Wish, folder: str, *, inside: bool) -> str:
    """The slice hands the controllers down, the leaf exists; the problem, or ""."""
    above = folder.rpartition("/")[0]
    if not inside and not _hand_down(above, wish):
        return f"{above} hands no memory controller down"
    if not inside:
        bound(f"{above}/{NAMES.memory}", wish.aggregate)
    try:
        posix.mkdir(groups.leaf[0], 0o755)
        joint = f"{above}/cgroup.procs" if inside else f"{above.rpartition('/')[0]}/cgroup.procs"
        if not posix.access(joint, posix.W_OK):
            return f"{joint} may not be written, so nothing can move below it"
    except OSError as error:
        return f"{groups.leaf[0]} cannot be made: {error.strerror}"
    return ""


def _limit(groups: Groups, wish: Wish, folder: str) -> str:
    """Write the limits, read each back into `applied`; the problem that makes this backend unfit, or ""."""
    spec = wish.spec
    if spec.memory is not None:
        path = f"{folder}/{NAMES.memory}"
        write(path, spec.memory)
        if (kept := number(path)) is None or kept > spec.memory:
            return f"{path} does not keep the limit"
        groups.applied["memory"] = kept
        if write(folder + "/memory.swap.max", spec.swap or 0):
            groups.applied["swap"] = number(folder + "/memory.swap.max") or 0
        write(folder + "/memory.oom.group", 0 if wish.partial else 1)
    events = posix.open(folder + "/memory.events", posix.O_RDONLY | posix.O_CLOEXEC)
    groups.events = ((events, POLLPRI),)
    if spec.cpu_time is not None:
        groups.cpu_time = groups.applied["cpu_time"] = spec.cpu_time
    if spec.pids is not None and write(folder + "/pids.max", min(spec.pids, MOST_PROCESSES)):
        groups.applied["pids"] = number(folder + "/pids.max") or 0
    if spec.cpu is not None and write(folder + "/cpu.max", f"{max(1000, int(spec.cpu * PERIOD))} {PERIOD}"):
        quota, _, period = read(folder + "/cpu.max").decode().partition(" ")
        if quota.isdigit():
            groups.applied["cpu"] = int(quota) / int(period)
            groups.folders["cpu"] = folder
    return ""
