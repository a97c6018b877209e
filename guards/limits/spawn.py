"""Start the command: fork, and in the child enter the groups, set what is inherited, exec. No race: it never runs outside its limits."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from guards.limits import prctl, signals
from guards.limits.procfs import number, write
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.limits.backends import Backend
    from guards.limits.limits import LimitSpec
    from guards.limits.signals import Signals

ENOENT, ENOEXEC, EACCES, ENOTDIR = 2, 8, 13, 20
VICTIM = 500
"""oom_score_adj of limited commands: the machine's OOM killer takes them before the agent that started them."""
DEFAULT_PATH = b"/usr/local/bin:/usr/bin:/bin"


class Start(Record):
    """What to run: argv, environment as bytes, and whether the command gets a process group of its own."""

    argv: tuple[str, ...]
    environment: Mapping[bytes, bytes]
    own_group: bool


class Fork(Record):
    """What the child needs from the moment before the fork: the signal mask to restore and where to tell a failure."""

    mask: set[int]
    writer: int


class Started(Record):
    """`pid` of the command; or, when it did not start, `error` (an errno) and the `step` that failed: "exec" or "limits"."""

    pid: int
    error: int = 0
    step: str = ""
    detail: str = ""


def spawn(start: Start, spec: LimitSpec, backend: Backend, caught: Signals) -> Started:
    """Returns after the command's exec has succeeded or failed."""
    reader, writer = posix.pipe()
    mask = signals.block_all()
    pid = posix.fork()
    if pid == 0:
        _child(start, spec, backend, caught, Fork(mask, writer))
    posix.close(writer)
    signals.restore(mask)
    try:
        failure = posix.read(reader, 4096).decode("utf-8", "surrogateescape")
    finally:
        posix.close(reader)
    if not failure:
        return Started(pid)
    posix.waitpid(pid, 0)
    step, error, detail = failure.split(":", 2)
    return Started(0, int(error), step, detail)


def _child(start: Start, spec: LimitSpec, backend: Backend, caught: Signals, fork: Fork) -> None:
    step = "limits"
    try:
        if start.own_group:
            posix.setpgid(0, 0)
        backend.enter()
        prctl.die_with_parent(_signal.SIGKILL)
        _inherit(spec)
        caught.reset_in_child()
        signals.restore(fork.mask)
        step = "exec"
        _exec(start.argv, start.environment)
    except OSError as error:
        posix.write(fork.writer, f"{step}:{error.errno or 0}:{error.strerror}".encode("utf-8", "surrogateescape"))
    finally:
        posix._exit(125)  # noqa: SLF001


def _inherit(spec: LimitSpec) -> None:
    """Priority, OOM preference and per-process limits: everything that exec and fork hand on."""
    adjusted = "/proc/self/oom_score_adj"
    if (number(adjusted) or 0) < VICTIM:
        write(adjusted, VICTIM)
    if spec.nice:
        posix.nice(spec.nice)
    if (
        spec.core != 0
        or not prctl.no_core_files()
        or (spec.address_space, spec.file_size, spec.open_files, spec.cpu_time) != (None,) * 4
    ):
        _resource_limits(spec)


def _resource_limits(spec: LimitSpec) -> None:
    """What setrlimit keeps, per process. CPU time is a backstop: the supervisor sums it over the tree."""
    import resource

    for kind, value in (
        (resource.RLIMIT_CORE, spec.core),
        (resource.RLIMIT_AS, spec.address_space),
        (resource.RLIMIT_FSIZE, spec.file_size),
        (resource.RLIMIT_NOFILE, spec.open_files),
        (resource.RLIMIT_CPU, None if spec.cpu_time is None else int(spec.cpu_time) + 2),
    ):
        if value is not None:
            hard = resource.getrlimit(kind)[1]
            kept = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (kept, kept))


def _exec(argv: tuple[str, ...], environment: Mapping[bytes, bytes]) -> None:
    """As execvp(3): PATH of the new environment, a script without a shebang goes to sh. Returns only by OSError."""
    name = argv[0]
    if "/" in name:
        _exec_one(name, argv, environment)
    failure = OSError(ENOENT, "no such command")
    path = environment.get(b"PATH", DEFAULT_PATH).decode("utf-8", "surrogateescape")
    for folder in path.split(":"):
        place = f"{folder or '.'}/{name}"
        try:
            _exec_one(place, argv, environment)
        except OSError as error:
            if error.errno == EACCES and _seen(place):
                failure = error
            elif error.errno not in {ENOENT, ENOTDIR, EACCES}:
                raise
    raise failure


def _seen(path: str) -> bool:
    """Whether there is such a file: a folder of PATH that we may not enter holds no command for us."""
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def _exec_one(path: str, argv: tuple[str, ...], environment: Mapping[bytes, bytes]) -> None:
    try:
        posix.execve(path, argv, environment)
    except OSError as error:
        if error.errno != ENOEXEC:
            raise
    posix.execve("/bin/sh", ("/bin/sh", path, *argv[1:]), environment)
