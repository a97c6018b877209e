"""Whether we run inside another limited command. The marker in the environment only names a job; that it is ours is seen from the processes."""

from __future__ import annotations

import posix

from guards.limits.procfs import MARKER, alive, apart, own, read, stat

DEEPEST = 128


def outer(environment: dict[bytes, bytes]) -> str:
    """The identity of the live job that we descend from, or whose control group we stand in; "" for none.

    One of another pid namespace, in which a sandbox was started, can be known by its group alone.
    """
    marker = environment.get(MARKER, b"").decode("ascii", "replace")
    identity, dot, there = marker.partition(".")
    pid, _, start = identity.partition("-")
    if not (pid.isdigit() and start.isdigit()):
        return ""
    here = dot + there == apart()
    if here and not alive(int(pid), int(start)):
        return ""
    groups = read("/proc/self/cgroup").splitlines()
    if any(f"/{marker}/".encode() in line + b"/" for line in groups):
        return identity
    return identity if here and _descends(int(pid)) else ""


def _descends(ancestor: int) -> bool:
    this = own()
    pid = this.parent if this is not None else posix.getppid()
    for _ in range(DEEPEST):
        if pid == ancestor:
            return True
        found = stat(pid) if pid > 1 else None
        if found is None:
            return False
        pid = found.parent
    return False
