"""A job's control groups, of either version: enter, watch, count, kill, remove. The two versions differ only in their tables of file names."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import time

from guards.limits import numbers
from guards.limits.backends import Usage
from guards.limits.procfs import PAGE, alive, apart, exists, lines_of, number, opened, read, table, write
from policy.record import Record

SLICE = "gatepost"
"""The group that holds all jobs below one starting place, so that a limit on it bounds their sum."""
REMOVALS = 60
"""Tries to remove a group in which nobody lives any more, about a second in all."""
FIRST_LOOK, BUSY_LOOK, LAST_LOOK = 0.02, 0.5, 5.0
"""Seconds between looks at memory that is not page cache: twice as long each time, less long while it changes by more than CHANGE bytes."""
CHANGE = 1 << 20
MOST_PROCESSES = 1 << 22
"""The kernel's own bound (PID_MAX_LIMIT): a group's is refused above it."""


class Names(Record):
    """Files of one cgroup version. `own` are the memory.stat lines that make up the program's own memory.

    `kills` counts OOM kills, where that file counts those of groups below too; `local` those of the group alone, else it is "".
    """

    memory: str
    memory_peak: str
    kills: str
    local: str
    own: tuple[bytes, ...]
    cache: bytes
    shared: bytes
    throttled_line: bytes


class Groups:
    """The Backend of both kernel versions. `folders` maps memory, pids, cpu, cpuacct to the job's folder there, where it has one.

    `leaf` are the folders whose processes the tree becomes; `killer` is a folder with cgroup.kill, or "".
    """

    kernel = True
    by_descent = False
    threads = 0

    def __init__(self, name: str, names: Names, folders: dict[str, str], leaf: tuple[str, ...], killer: str) -> None:
        self.name = name
        self.names = names
        self.folders = folders
        self.leaf = leaf
        self.entrance = tuple(folder + "/cgroup.procs" for folder in leaf)
        self.killer = killer
        self.groups = tuple(dict.fromkeys((*folders.values(), *((killer,) if killer else ()))))
        self.applied: dict[str, float] = {}
        self.warnings: list[str] = []
        self.events: tuple[tuple[int, int], ...] = ()
        self.cpu_time: float | None = None
        self.partial = False
        self._step = FIRST_LOOK
        self._next = 0.0
        self._processes = 1
        self._looked = False
        self._stat = -1
        self._anonymous = self._cache = self._shared = self._memory = 0

    def watched(self) -> tuple[tuple[int, int], ...]:
        return self.events

    def _drain(self) -> None:
        for descriptor, _ in self.events:
            try:
                posix.pread(descriptor, 4096, 0) if self.name != "cgroup1" else posix.read(descriptor, 8)
            except OSError:
                continue

    def look(self, now: float, *, alarmed: bool) -> str:
        if alarmed or not self.events:
            self._drain()
            if not self.partial and self.kills():
                self._weigh()
                return "memory"
        if not self._next:
            self._next = now + self._step
        elif now >= self._next - self._step / 2:  # a look may come early, with something else
            before = self._memory
            self._weigh()
            changed = abs(self._memory - before) > CHANGE
            self._step = min(BUSY_LOOK if changed else LAST_LOOK, self._step * 2)
            self._next = now + self._step
        if self.cpu_time is not None and self._cpu() >= self.cpu_time:
            return "cpu-time"
        return ""

    def pause(self) -> float:
        if self.cpu_time is None:
            return self._step
        return min(self._step, max(0.01, (self.cpu_time - self._cpu()) / (posix.cpu_count() or 1)))

    def kills(self) -> int:
        """Processes of this job that the kernel's OOM killer ended; not those of a job inside it that came to its own limit."""
        folder = self.folders["memory"]
        found = table(f"{folder}/{self.names.kills}").get(b"oom_kill", 0)
        if not found or not self.names.local or not (here := table(f"{folder}/{self.names.local}")) or here.get(b"oom"):
            return found
        leaves = (table(f"{leaf}/{self.names.local}") for leaf in self.leaf)
        return here.get(b"oom_kill", 0) + sum(counts.get(b"oom_kill", 0) for counts in leaves)

    def _weigh(self) -> None:
        found = lines_of(self._statistics(), (*self.names.own, self.names.shared, self.names.cache))
        own = sum(found.get(line, 0) for line in self.names.own)
        self._anonymous = max(self._anonymous, own)
        self._shared = found.get(self.names.shared, 0)
        self._cache = max(
            0, found.get(self.names.cache, 0) - self._shared
        )  # both versions count tmpfs as file pages too
        self._memory = own
        self._looked = True

    def _statistics(self) -> bytes:
        """memory.stat, which stays open: a look at rest is mostly the way to its files."""
        if self._stat < 0:
            self._stat = opened(self.folders["memory"] + "/memory.stat")
        try:
            return posix.pread(self._stat, 65536, 0)
        except OSError:
            return b""

    def _cpu(self) -> float:
        """CPU seconds of the group; version 2 counts them in every group, also where it limits nothing."""
        if self.killer:
            return table(self.killer + "/cpu.stat").get(b"usage_usec", 0) * 1e-6
        folder = self.folders.get("cpuacct", "")
        return (number(folder + "/cpuacct.usage") or 0) * 1e-9 if folder else 0.0

    def members(self) -> list[int]:
        if self.killer and b"populated 0" in read(self.killer + "/cgroup.events"):
            return []
        found = members_of(self.killer or self.groups[0])
        self._processes = max(self._processes, len(found))
        return found

    def kill(self) -> int:
        members = self.members()
        if not self.killer or not write(self.killer + "/cgroup.kill", "1"):
            for pid in members:
                kill_member(pid, self.groups[0])
        return len(members)

    def memory(self, *, fresh: bool = False) -> int:
        if fresh:
            self._weigh()
        return self._memory

    def usage(self) -> Usage:
        if self._shared:
            self._weigh()
        folder = self.folders["memory"]
        pids = self.folders.get("pids", "")
        peak = number(f"{folder}/{self.names.memory_peak}")
        throttled = (
            table(self.folders["cpu"] + "/cpu.stat").get(self.names.throttled_line, 0) if "cpu" in self.folders else 0
        )
        return Usage(
            memory=self._memory,
            peak=peak,
            anonymous=self._anonymous if self._looked else None,
            cache=self._cache,
            shared=self._shared,
            cpu=self._cpu(),
            processes=(number(pids + "/pids.peak") if pids else None) or self._processes,
            oom_kills=self.kills(),
            throttled=throttled * (1e-9 if self.names.throttled_line.endswith(b"time") else 1e-6),
            refused=table(pids + "/pids.events").get(b"max", 0) if pids else 0,
        )

    def close(self) -> None:
        for descriptor, _ in self.events:
            posix.close(descriptor)
        self.events = ()
        if self._stat >= 0:
            posix.close(self._stat)
            self._stat = -1
        for folder in self.groups:
            for turn in range(REMOVALS):
                if remove(folder) or self.members():
                    break
                time.sleep(0.001 * min(turn + 1, 20))  # a process that was just killed may still be leaving


def remove(folder: str) -> bool:
    """Remove an empty group with its subgroups, and the slice above it when that was the last job. False while somebody lives in it."""
    for name in _subgroups(folder):
        remove(f"{folder}/{name}")
    if not _gone(folder):
        return False
    above = folder.rpartition("/")[0]
    if above.endswith("/" + SLICE) and not _gone(above):
        for name in _subgroups(above):
            if _ownerless(name) and all(_gone(f"{above}/{name}/{inner}") for inner in _subgroups(f"{above}/{name}")):
                _gone(f"{above}/{name}")
        _gone(above)
    return True


def _gone(folder: str) -> bool:
    """Remove a group that nobody lives in and that holds no other."""
    try:
        posix.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _ownerless(name: str) -> bool:
    """Whether a job's group was made by a supervisor that is gone: one that was killed before its record told of the group.

    Of one in another pid namespace that cannot be said.
    """
    identity, dot, there = name.partition(".")
    if dot + there != apart():
        return False
    pid, _, start = identity.partition("-")
    return pid.isdigit() and start.isdigit() and not alive(int(pid), int(start))


def make(folder: str) -> None:
    """Create a job's folder and the slice above it. Raises OSError."""
    above = folder.rpartition("/")[0]
    for _ in range(8):
        if above.endswith("/" + SLICE) and not exists(above):
            try:
                posix.mkdir(above, 0o755)
            except FileExistsError:
                continue
        try:
            posix.mkdir(folder, 0o755)
        except FileNotFoundError:
            continue  # the last job before us has just removed the slice
        return
    raise OSError(2, "the slice keeps vanishing", folder)


def bound(path: str, size: int | None) -> None:
    """Give the slice its limit, where it has another or none; page by page, as the kernel keeps it."""
    kept = number(path)
    if size is not None and (kept is None or abs(kept - size) >= PAGE):
        write(path, size)


def _subgroups(folder: str) -> list[str]:
    try:
        if posix.stat(folder).st_nlink <= 2:
            return []
        return [entry.name for entry in posix.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def members_of(folder: str) -> list[int]:
    """Processes in a group and all its subgroups."""
    found = [int(pid) for pid in read(folder + "/cgroup.procs").split()]
    for name in _subgroups(folder):
        found += members_of(f"{folder}/{name}")
    return found


def _stands_in(pid: int, folder: str) -> bool:
    if numbers.ours() != posix.getpid():  # this /proc knows it by another number
        return pid in members_of(folder)
    return f"/{folder.rpartition('/')[2]}" in read(f"/proc/{pid}/cgroup").decode("utf-8", "surrogateescape")


def kill_member(pid: int, folder: str) -> None:
    """SIGKILL by a descriptor of the process, so that a pid used again in between is not hit: membership is read after it is held."""
    try:
        descriptor = posix.pidfd_open(pid)
    except OSError:
        return
    try:
        if _stands_in(pid, folder):
            _signal.pidfd_send_signal(descriptor, _signal.SIGKILL)
    except OSError:
        return
    finally:
        posix.close(descriptor)
