"""The descendants of the supervisor, found through /proc: walk, weigh, stop and kill.

As a child sub-reaper the supervisor inherits every orphan below it, so a walk from its own pid misses nobody: not after setsid, not after
a double fork, not with a cleared environment. A walk reads `task/*/children`, whose cost grows with the tree and not with the machine.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from guards.limits import numbers, prctl
from guards.limits.procfs import exhausted, read, running, stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from guards.limits.procfs import Stat
    from guards.limits.sampling import Weight


EVERYBODY = 1 << 22
CROWD = 128
"""Processes from which on a tree is ended by groups."""
WALKS = 8


def children(pid: int) -> list[int]:
    """Children of all threads of a process. Raises OSError where too many files are open."""
    try:
        tasks = posix.listdir(f"/proc/{pid}/task")
    except OSError as error:
        if exhausted(error):
            raise
        return []
    found = []
    for task in tasks:
        text = read(f"/proc/{pid}/task/{task}/children")
        found += [int(child) for child in text.split()]
    return found


def lists_children() -> bool:
    """Whether this kernel was built to list children (CONFIG_PROC_CHILDREN)."""
    try:
        posix.stat(f"/proc/self/task/{numbers.ours()}/children")
    except OSError:
        return False
    return True


def _by_parent() -> dict[int, list[int]]:
    """Parent to children from one scan of all processes, for kernels that do not list children."""
    found: dict[int, list[int]] = {}
    for name in posix.listdir("/proc"):
        if name.isdigit() and (process := stat(name)) is not None:
            found.setdefault(process.parent, []).append(process.pid)
    return found


def descendants(
    pid: int,
    outside: Container[int] = (),
    *,
    listed: bool = True,
    most: int = EVERYBODY,
    visit: Callable[[int], None] | None = None,
) -> list[int]:
    """Pids below `pid`, parents first, zombies included; `outside` are children that were there before us: they and theirs are left out.

    A walk ends above `most` pids: a tree that forks faster than we walk must not keep us walking. `visit` is called with each before its
    own children are listed.
    """
    scan = {} if listed else _by_parent()
    found: list[int] = []
    queue = [pid]
    seen = {pid}
    for parent in queue:
        if len(found) > most:
            break
        for child in (children(parent) if listed else scan.get(parent)) or ():
            if child not in seen and child not in outside:
                seen.add(child)
                if visit is not None:
                    visit(child)
                found.append(child)
                queue.append(child)
    return found


def weigh(pids: Iterable[int]) -> Weight:
    """One cheap look at each process; those that are gone weigh nothing."""
    rss = threads = 0
    cpu = 0.0
    living = []
    for pid in pids:
        found = stat(pid)
        if found is None:
            continue
        cpu += found.cpu
        if (found := found if found.state not in "ZX" else running(pid)) is not None:
            rss += found.rss
            threads += found.threads
            living.append(found.pid)
    from guards.limits.sampling import Weight

    return Weight(rss, cpu, tuple(living), threads)


def proportional(pids: Iterable[int]) -> tuple[int, int]:
    """Bytes that the tree really takes: (proportional share and swap, anonymous part of it). Costs some 0.1 ms a process.

    A process whose map may not be read counts with its resident size, so that hiding does not help.
    """
    total = anonymous = 0
    for pid in pids:
        text = read(f"/proc/{pid}/smaps_rollup")
        if not text:
            found = stat(pid)
            total += found.rss if found is not None else 0
            continue
        for line in text.splitlines():
            if line.startswith((b"Pss:", b"SwapPss:")):
                total += int(line.split()[1]) << 10
            elif line.startswith(b"Pss_Anon:"):
                anonymous += int(line.split()[1]) << 10
    return total, anonymous


def apart(pids: Iterable[int]) -> list[int]:
    """The processes without those that use their parent's memory, as after vfork until exec: each has the same pages for its own."""
    members = list(pids)
    every = frozenset(members)
    return [pid for pid in members if (found := stat(pid)) is None or found.parent not in every or not _lent(found)]


def _lent(process: Stat) -> bool:
    return prctl.same_memory(numbers.local(process.parent), numbers.local(process.pid))


def send(pids: Iterable[int], signal: int) -> int:
    """Signal each process; those that are gone, or are not ours to signal, are passed over. Returns how many took it."""
    reached = 0
    for pid in pids:
        number = numbers.local(pid)
        if number <= 1:
            continue
        try:
            posix.kill(number, signal)
        except OSError:
            continue
        reached += 1
    return reached


def stop(pid: int, outside: Container[int], *, listed: bool) -> list[int]:
    """SIGSTOP the tree, again until a walk finds nobody new: a stopped process forks no more. Returns its members.

    Each is stopped before its children are listed. A crowd is ended by groups first: a signal to a group leaves nobody out who is being
    forked meanwhile, while single ones may never catch up with a fork bomb; so there are WALKS of them, and the caller comes again.
    """
    members = descendants(pid, outside, listed=listed, most=CROWD, visit=_stop)
    if len(members) > CROWD:
        kill_groups(members)
    stopped: set[int] = set()
    for _ in range(WALKS):
        members = descendants(pid, outside, listed=listed, visit=_stop)
        if stopped.issuperset(members):
            break
        stopped.update(members)
    return members


def _stop(pid: int) -> None:
    send((pid,), _signal.SIGSTOP)


def kill_groups(pids: Iterable[int]) -> int:
    """SIGKILL to the process groups of these, except our own; how many groups there were. Nobody else's process is in a group of our tree."""
    groups = {numbers.group(pid) for pid in pids} - {0, 1, posix.getpgid(0)}
    reached = 0
    for group in groups:
        try:
            posix.killpg(group, _signal.SIGKILL)
        except OSError:
            continue
        reached += 1
    return reached
