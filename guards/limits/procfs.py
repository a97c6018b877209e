"""Reads of /proc and of cgroup files: small texts, whole, tolerant of processes that have gone. No process is started."""

from __future__ import annotations

import posix

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CLOCK_TICKS = posix.sysconf("SC_CLK_TCK")
PAGE = posix.sysconf("SC_PAGE_SIZE")
MARKER = b"WITH_LIMITS_ID"
"""The variable in whose value limited processes carry the name of their job."""
_FIRST, _CHUNK = 4096, 65536
"""Bytes asked for: most files are small, and room for a large one costs more than the read."""


class Stat(Record):
    """One process: `start` in clock ticks since boot names it together with `pid`; cpu in seconds, with its reaped children; rss in bytes.

    `threads` are those that it has.
    """

    pid: int
    parent: int
    state: str
    terminal: int
    start: int
    cpu: float
    rss: int
    threads: int = 1


def read(path: str) -> bytes:
    """The whole file, b"" when it is gone or may not be read."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return whole(descriptor)
    except OSError:
        return b""
    finally:
        posix.close(descriptor)


def opened(path: str) -> int:
    """A descriptor for reading that programs do not inherit; -1 when the file is gone or may not be read."""
    try:
        return posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return -1


def exhausted(error: OSError) -> bool:
    """Whether a file could not be opened because too many are open (EMFILE, ENFILE): that says nothing of what it tells about."""
    return error.errno in {23, 24}


def whole(descriptor: int) -> bytes:
    """From where it stands to its end. Raises OSError."""
    text = posix.read(descriptor, _FIRST)
    while more := posix.read(descriptor, _CHUNK if len(text) >= _FIRST else _FIRST):
        text += more
    return text


def write(path: str, text: str | int) -> bool:
    """One write to an existing file (cgroup files want exactly that); False when it is refused."""
    try:
        descriptor = posix.open(path, posix.O_WRONLY | posix.O_CLOEXEC)
    except OSError:
        return False
    try:
        posix.write(descriptor, str(text).encode())
    except OSError:
        return False
    finally:
        posix.close(descriptor)
    return True


def exists(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def kernels_own(descriptor: int, beside: str = "/proc/self/stat") -> bool:
    """Whether an open file that tells of the whole machine is the kernel's, as the one `beside` it: a container may show one of its making (lxcfs)."""
    try:
        return posix.fstat(descriptor).st_dev == posix.stat(beside).st_dev
    except OSError:
        return False


def number(path: str) -> int | None:
    """The one number in a file; None when it is missing or says `max`."""
    text = read(path).strip()
    return int(text) if text.isdigit() else None


def table(path: str) -> dict[bytes, int]:
    """A file of `name value` lines (memory.stat, cpu.stat, memory.events, oom_control)."""
    found: dict[bytes, int] = {}
    for line in read(path).splitlines():
        name, _, value = line.partition(b" ")
        if value.strip().isdigit():
            found[name] = int(value)
    return found


def lines_of(text: bytes, names: Iterable[bytes]) -> dict[bytes, int]:
    """Those of a table's lines that have these names: a look at rest reads few of many."""
    found: dict[bytes, int] = {}
    text = b"\n" + text + b"\n"
    for name in names:
        _, _, rest = text.partition(b"\n" + name + b" ")
        value = rest[: rest.find(b"\n")].strip()
        if value.isdigit():
            found[name] = int(value)
    return found


def stat(pid: int | str) -> Stat | None:
    """None when there is no such process."""
    text = read(f"/proc/{pid}/stat")
    if not text:
        return None
    head, _, tail = text.rpartition(b")")
    fields = tail.split()
    ticks = int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
    return Stat(
        int(head.split(b" ", 1)[0]),
        int(fields[1]),
        chr(fields[0][0]),
        int(fields[4]),
        int(fields[19]),
        ticks / CLOCK_TICKS,
        int(fields[21]) * PAGE,
        int(fields[17]),
    )


def running(pid: int) -> Stat | None:
    """A process that runs, or the first of its threads that does: one whose first thread has ended looks like a zombie, and holds its memory.

    `pid` of what is returned is the thread's then: all files of /proc answer for it. None when every thread has ended.
    """
    found = stat(pid)
    if found is None or found.state not in "ZX":
        return found
    try:
        threads = posix.listdir(f"/proc/{pid}/task")
    except OSError:
        return None
    return next((other for thread in threads if (other := stat(thread)) is not None and other.state not in "ZX"), None)


def alive(pid: int, start: int) -> bool:
    """Whether exactly this process still runs (a zombie does not). Without /proc: whether any of that pid does."""
    if not start and not exists("/proc/self/stat"):
        return _answers(pid)
    found = stat(pid)
    return found is not None and found.start == start and found.state not in "ZX"


_boot: list[str] = []
_own: list[Stat | None] = []


def own() -> Stat | None:
    """This process as it was at the first call: its start, its terminal."""
    if not _own:
        _own.append(stat("self"))
    return _own[0]


def _answers(pid: int) -> bool:
    try:
        posix.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def boot_id() -> str:
    """Names this boot of the machine; "" where the kernel does not tell."""
    if not _boot:
        _boot.append(read("/proc/sys/kernel/random/boot_id").decode("ascii", "replace").strip())
    return _boot[0]


FIRST_NUMBERING = "pid:[4026531836]"
"""The pid namespace of the machine itself; the kernel fixes its number (PROC_PID_INIT_INO)."""


def numbering() -> str:
    """What a pid means here: this boot and our pid namespace. Elsewhere (a sandbox, a container) the same number is somebody else.

    A sandbox that sees its starter's /proc tells jobs by the numbers there, which are others than those of its own namespace.
    """
    this = own()
    beyond = "-proc" if this is not None and this.pid != posix.getpid() else ""
    try:
        return f"{boot_id()} {posix.readlink('/proc/self/ns/pid').rstrip(']')}{beyond}]"
    except OSError:
        return boot_id()


def apart() -> str:
    """What is put behind names of jobs that others may meet, so that they do not ask here for a pid of elsewhere: "" on the machine itself."""
    there = numbering().partition(" ")[2]
    return "" if there in {"", FIRST_NUMBERING} else "." + there.removeprefix("pid:[").rstrip("]")
