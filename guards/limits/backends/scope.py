"""Version 2 groups by way of systemd: this process starts itself again inside a delegated scope of the user's manager, then writes directly.

`systemd-run --scope` becomes the command that it runs, so pid, parent, terminal and signals stay. It is done once a supervisor; the limits
are our own writes, because a scope's limits do not say why something died, and limits that were not delegated are ignored in silence.
"""

from __future__ import annotations

import posix
import sys

from guards.children import Told
from guards.limits.backends.cgroup2 import UNIT
from guards.limits.procfs import exists, read
from guards.limits.workers import as_started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish

SYSTEMD_RUN = ("/usr/bin/systemd-run", "/bin/systemd-run")


def create(wish: Wish) -> str:
    """Does not return when systemd takes us: cgroup2.create does the rest in the scope. A str says why not."""
    if UNIT.encode() in read("/proc/self/cgroup"):
        return "already inside a scope of ours"
    if not exists("/run/systemd/system"):
        return "systemd does not run here"
    runtime = f"/run/user/{posix.getuid()}"
    if not exists(runtime + "/bus"):
        return f"no user bus at {runtime}/bus; `loginctl enable-linger` makes one"
    program = next((path for path in SYSTEMD_RUN if exists(path)), "")
    if not program:
        return "systemd-run is not installed"
    bus = {b"XDG_RUNTIME_DIR": runtime.encode(), b"DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus".encode()}
    if not wish.tried and not _takes(program, bus):
        return "the user's manager gives no scope"
    if wish.remember is not None:
        wish.remember("scope")
    _become(program, bus, wish.identity)
    return "systemd-run cannot be started"


def _takes(program: str, bus: dict[bytes, bytes]) -> bool:
    """Whether a scope can be had, tried with `true` once a boot: after the exec below there is no way back."""
    quiet = ((posix.POSIX_SPAWN_OPEN, 2, "/dev/null", posix.O_WRONLY, 0),)
    words = (program, "--user", "--scope", "-q", "--collect", "--", "true")
    with Told():
        pid = posix.posix_spawn(program, words, {**posix.environ, **bus}, file_actions=quiet)
        return posix.waitstatus_to_exitcode(posix.waitpid(pid, 0)[1]) == 0


def _become(program: str, bus: dict[bytes, bytes], identity: str) -> None:
    """Replace this process by systemd-run, and that by this very command line; variables that only they need go again."""
    options = ("--user", "--scope", "-q", "--collect", "-p", "Delegate=yes", "--slice=gatepost.slice")
    names = (*bus, b"INVOCATION_ID")  # the last is systemd-run's own
    added = [word for name in names if name not in posix.environ for word in ("-u", name.decode())]
    again = ("/usr/bin/env", *added, *sys.orig_argv) if added else tuple(sys.orig_argv)
    try:
        posix.execve(
            program, (program, *options, f"--unit={UNIT}{identity}", "--", *again), {**as_started(posix.environ), **bus}
        )
    except OSError:
        return
