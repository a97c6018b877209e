"""Which processes we descend from, as the kernel tells it: unlike a variable it cannot be inherited by the wrong one."""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = frozenset(
    (
        "sh",
        "bash",
        "dash",
        "zsh",
        "fish",
        "ksh",
        "mksh",
        "ash",
        "busybox",
        "env",
        "timeout",
        "nice",
        "setsid",
        "gatepost-hook",
    )
)
"""Programs between an agent and its hook that end with the hook; our own front is a shell script, which is named after itself."""

DEEPEST = 64


def ancestors(pid: int | None = None) -> Iterator[tuple[int, str, str]]:
    """Parent, grandparent, … of a process (ours): its id, its name and a mark "PID:START" that no later process shares. Linux only: elsewhere empty."""
    found = stat(posix.getpid() if pid is None else pid)
    for _ in range(DEEPEST):
        if found is None or found[0] <= 0:
            return
        here = found[0]
        found = stat(here)
        if found is not None:
            yield here, found[1], f"{here}:{found[2]}"


def agent() -> str:
    """The mark of the nearest ancestor that is no shell: the agent that started a hook. "" when it cannot be told."""
    return next((mark for _, name, mark in ancestors() if name not in SHELLS), "")


def descends_from(mark: str) -> bool:
    """Whether the process with this mark is an ancestor of ours."""
    return bool(mark) and any(found == mark for _, _, found in ancestors())


def stat(pid: int) -> tuple[int, str, str] | None:
    """Parent, name and start time of a process, from /proc; None when there is none, or no /proc."""
    try:
        opened = posix.open(f"/proc/{pid}/stat", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = posix.read(opened, 1024).decode("utf-8", "surrogateescape")
    except OSError:
        return None
    finally:
        posix.close(opened)
    head, _, rest = text.rpartition(")")
    fields = rest.split()
    return int(fields[1]), head.partition("(")[2], fields[19]


def command_line(pid: int) -> tuple[bytes, ...]:
    """The arguments that a process was started with, () when it is gone or not ours to see."""
    parts = b""
    try:
        opened = posix.open(f"/proc/{pid}/cmdline", posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            while more := posix.read(opened, 65536):
                parts += more
        finally:
            posix.close(opened)
    except OSError:
        return ()
    return tuple(parts.split(b"\0")[:-1])
