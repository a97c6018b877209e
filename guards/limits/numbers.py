"""Pids as /proc shows them against pids as system calls take them: two things where a sandbox has its own pids, but its starter's /proc."""

from __future__ import annotations

import posix

from guards.limits.procfs import own, read

_depth: list[int] = []


def ours() -> int:
    """This process as /proc shows it."""
    this = own()
    return this.pid if this is not None else posix.getpid()


def local(pid: int) -> int:
    """The number by which system calls here take the process that /proc shows as `pid`; 0 when it has none or has gone."""
    if ours() == posix.getpid():
        return pid
    if not _depth:
        _depth.append(len(_numbers("self")))
    found = _numbers(str(pid))
    return int(found[_depth[0] - 1]) if 0 < _depth[0] <= len(found) else 0


def group(pid: int) -> int:
    """The process group, as system calls take it, of a process as /proc shows it; 0 when it has gone."""
    number = local(pid)
    try:
        return posix.getpgid(number) if number else 0
    except OSError:
        return 0


def _numbers(pid: str) -> list[bytes]:
    """Of a process in every namespace from that of /proc down to its own."""
    for line in read(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"NSpid:"):
            return line.split()[1:]
    return []
