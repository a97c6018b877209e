"""Whether we run inside another limited command. The marker in the environment only names a job; that it is ours is seen from the processes."""

from __future__ import annotations

import posix

from guards.limits.procfs import alive, read, stat

DEEPEST = 128


def outer(environment: dict[bytes, bytes]) -> str:
    """The identity of the live job that we descend from, or whose control group we stand in; "" for none."""
    identity = environment.get(b"WITH_LIMITS_ID", b"").decode("ascii", "replace")
    pid, _, start = identity.partition("-")
    if not (pid.isdigit() and start.isdigit() and alive(int(pid), int(start))):
        return ""
    if f"/{identity}".encode() in read("/proc/self/cgroup"):
        return identity
    return identity if _descends(int(pid)) else ""


def _descends(ancestor: int) -> bool:
    pid = posix.getppid()
    for _ in range(DEEPEST):
        if pid == ancestor:
            return True
        found = stat(pid) if pid > 1 else None
        if found is None:
            return False
        pid = found.parent
    return False
