"""Start the command: in a child enter the groups, set what is inherited, exec. No race: it never runs outside its limits."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from guards.limits import prctl, signals
from guards.limits.procfs import number, write
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.limits.limits import LimitSpec
    from guards.limits.signals import Signals

ENOENT, ENOEXEC, EACCES, ENOTDIR = 2, 8, 13, 20
VICTIM = 500
"""oom_score_adj of limited commands: the machine's OOM killer takes them before the agent that started them."""
DEFAULT_PATH = b"/usr/local/bin:/usr/bin:/bin"


class Start(Record):
    """What to run: argv, environment as bytes, and whether the command gets a process group of its own.

    `entrance` are the files by which a process enters the groups; `threads` is what its user may have in all, 0 for any number. `box` is the
    program compiled from shims/templates/limits.c, which enters the groups and becomes the command; it need not be there.
    """

    argv: tuple[str, ...]
    environment: Mapping[bytes, bytes]
    own_group: bool
    entrance: tuple[str, ...] = ()
    threads: int = 0
    box: str = ""


class Started(Record):
    """`pid` of the command; or, when it did not start, `error` (an errno) and the `step` that failed: "exec" or "limits"."""

    pid: int
    error: int = 0
    step: str = ""
    detail: str = ""


def spawn(start: Start, spec: LimitSpec, caught: Signals, mask: set[int]) -> Started:
    """Returns after the command's exec has succeeded or failed. All signals are blocked meanwhile; the command starts with `mask`.

    The box is the quick way: no copy of this interpreter is made. Whatever it cannot do or fails at is done again the sure way, which can
    tell why.
    """
    if (
        start.box
        and spec.core == 0
        and (spec.address_space, spec.file_size, spec.open_files, spec.cpu_time) == (None,) * 4
    ):
        pid = _boxed(start, spec, mask)
        if pid:
            return Started(pid)
    return _forked(start, spec, caught, mask)


def _boxed(start: Start, spec: LimitSpec, mask: set[int]) -> int:
    """The pid of the command, 0 when the box failed: then nothing runs."""
    program = _program(start.argv[0], start.environment)
    if not program:
        return 0
    reader, writer = posix.pipe()
    posix.set_inheritable(writer, True)
    numbers = (writer, posix.getpid(), int(start.own_group), VICTIM, spec.nice or 0, start.threads)
    words = ("box", *map(str, numbers), *start.entrance, "", program, *start.argv)
    try:
        pid = posix.posix_spawn(start.box, words, start.environment, setsigmask=mask, setsigdef=signals.set_by_python())
    except OSError:
        posix.close(writer)
        posix.close(reader)
        return 0
    posix.close(writer)
    failed = posix.read(reader, 1)
    posix.close(reader)
    if failed:
        posix.waitpid(pid, 0)
        return 0
    return pid


def _forked(start: Start, spec: LimitSpec, caught: Signals, mask: set[int]) -> Started:
    reader, writer = posix.pipe()
    parent = posix.getpid()
    pid = posix.fork()
    if pid == 0:
        try:
            step = "limits"
            _enter(start, spec, parent)
            caught.reset_in_child()
            signals.restore(mask)
            step = "exec"
            _exec(start.argv, start.environment)
        except Exception as error:  # noqa: BLE001  told to the parent, which would else take the command as started
            code = error.errno if isinstance(error, OSError) else ENOENT if step == "exec" else 0
            posix.write(writer, f"{step}:{code or 0}:{error}".encode("utf-8", "surrogateescape"))
        finally:
            posix._exit(125)  # noqa: SLF001
    posix.close(writer)
    failure = posix.read(reader, 4096).decode("utf-8", "surrogateescape")
    posix.close(reader)
    if not failure:
        return Started(pid)
    posix.waitpid(pid, 0)
    step, number, detail = failure.split(":", 2)
    return Started(0, int(number), step, detail)


def _enter(start: Start, spec: LimitSpec, parent: int) -> None:
    """In the child: come under the limits. Raises OSError."""
    if start.own_group:
        posix.setpgid(0, 0)
    for file in start.entrance:
        if not write(file, "0"):
            raise OSError(1, "cannot enter the group", file)
    prctl.die_with_parent(_signal.SIGKILL)
    if posix.getppid() != parent:
        posix._exit(125)  # noqa: SLF001  it has ended before it could be watched: nobody would keep the limits
    _inherit(spec, start.threads)


def _inherit(spec: LimitSpec, threads: int) -> None:
    """Priority, OOM preference and per-process limits: everything that exec and fork hand on."""
    adjusted = "/proc/self/oom_score_adj"
    if (number(adjusted) or 0) < VICTIM:
        write(adjusted, VICTIM)
    if spec.nice:
        posix.nice(spec.nice)
    if (
        spec.core != 0
        or not prctl.no_core_files()
        or threads
        or (spec.address_space, spec.file_size, spec.open_files, spec.cpu_time) != (None,) * 4
    ):
        _resource_limits(spec, threads)


def _resource_limits(spec: LimitSpec, threads: int) -> None:
    """What setrlimit keeps, per process. CPU time is a backstop: the supervisor sums it over the tree."""
    import resource

    for kind, value in (
        (resource.RLIMIT_CORE, spec.core),
        (resource.RLIMIT_AS, spec.address_space),
        (resource.RLIMIT_FSIZE, spec.file_size),
        (resource.RLIMIT_NOFILE, spec.open_files),
        (resource.RLIMIT_NPROC, threads or None),
        (resource.RLIMIT_CPU, None if spec.cpu_time is None else int(spec.cpu_time) + 2),
    ):
        if value is not None:
            hard = resource.getrlimit(kind)[1]
            kept = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (kept, kept))


def _program(name: str, environment: Mapping[bytes, bytes]) -> str:
    """The first file of that name on PATH that may be run, "" for none. What cannot be executed after all is left to _exec."""
    if "/" in name or not name:
        return name
    for folder in environment.get(b"PATH", DEFAULT_PATH).decode("utf-8", "surrogateescape").split(":"):
        place = f"{folder or '.'}/{name}"
        if posix.access(place, posix.X_OK):
            return place
    return ""


def _exec(argv: tuple[str, ...], environment: Mapping[bytes, bytes]) -> None:
    """As execvp(3): PATH of the new environment, a script without a shebang goes to sh. Returns only by OSError."""
    name = argv[0]
    failure = OSError(ENOENT, "no such command")
    if not name:
        raise failure
    if "/" in name:
        _exec_one(name, argv, environment)
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
