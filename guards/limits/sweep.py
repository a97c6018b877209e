"""End what a killed supervisor left: its control groups by their record, else its processes by the marker in their environment."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import time

from guards.limits import tree
from guards.limits.backends import group
from guards.limits.procfs import MARKER, apart, numbering, read, write
from guards.limits.show import show_count, show_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.limits.ledger import Job
    from guards.limits.store import Store

ROUNDS = 200
MOUNTS = "/sys/fs/cgroup/"


def sweep(store: Store, dead: Iterable[Job]) -> list[tuple[Job, int]]:
    """Under the lock: end what each dead job left, remove its record. Returns those that had left something, with how many."""
    found = []
    here = numbering()
    store.forget_halves()
    for job in dead:
        count = _reap(job) if job.boot == here else 0
        store.remove(job.identity)
        if count:
            found.append((job, count))
    return found


def ended_line(job: Job, count: int) -> str:
    """`ended 3 processes that a killed run had left (4711: npm test)`."""
    return f"ended {show_count(count, 'process', 'processes')} that a killed run had left ({job.pid}: {show_name(job.command)})"


def _reap(job: Job) -> int:
    count = 0
    for folder in job.groups:
        if folder.startswith(MOUNTS) and folder.endswith(f"/{job.identity}{apart()}") and ".." not in folder:
            count = max(count, _empty(folder))
    if not job.groups:
        marked = marked_by(job.identity)
        count = len(marked)
        tree.send(marked, _signal.SIGKILL)
    return count


def _empty(folder: str) -> int:
    """Kill all in a group and remove it; how many there were."""
    members = group.members_of(folder)
    for turn in range(ROUNDS):
        if group.remove(folder):
            break
        if not write(folder + "/cgroup.kill", "1"):
            for pid in group.members_of(folder):
                group.kill_member(pid, folder)
        time.sleep(0.0005 * min(turn + 1, 20))
    return len(members)


def marked_by(identity: str) -> list[int]:
    """Processes of this user that carry the job's marker and no marker of a later job."""
    wanted = MARKER + f"={identity}{apart()}".encode()
    names = [name for name in posix.listdir("/proc") if name.isdigit()]
    return [int(name) for name in names if wanted in read(f"/proc/{name}/environ").split(b"\0")]


def tidy(store: Store, living: Iterable[Job]) -> list[Job]:
    """Under the lock: forget jobs that left processes on purpose once those are gone; the others."""
    kept = []
    for job in living:
        if job.state == "left" and not any(group.members_of(folder) for folder in job.groups):
            for folder in job.groups:
                group.remove(folder)
            store.remove(job.identity)
        else:
            kept.append(job)
    return kept
