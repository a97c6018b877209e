"""What commands needed before: one line a run in the state folder, read back for a job's reservation and by `with-limits history`."""

from __future__ import annotations

import posix

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

FILE = "limits-history.tsv"
LARGEST = 512 << 10
"""Bytes after which the file is moved aside, so that at most twice this is kept."""
FLAGS = posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
"""A pipe in its place keeps nobody waiting."""
MOST = 1 << 62
LAST = 10
RECENT = 64 << 10
"""Bytes of the history that are looked through for a job's reservation."""
WORDS = 3
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+")


class Entry(Record):
    """One ended run: bytes, seconds, the moment in seconds since the epoch."""

    command: str
    cwd: str
    at: float
    peak: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    reason: str = "exit"
    exit: int = 0


def key(argv: tuple[str, ...], text: str | None = None) -> str:
    """A command without its particulars: program and the plain words after it, three in all.

    Options and odd words, which may be secrets or change with every run, are left out.
    """
    words = text.split() if text is not None else list(argv)
    plain = [word for word in words if not word.startswith("-") and len(word) <= 40 and PLAIN.issuperset(word)]
    if words and text is None:
        plain = [words[0].rpartition("/")[2], *(word for word in plain if word is not words[0])]
    return " ".join(plain[:WORDS])


def _path(layout: Layout) -> str:
    return f"{layout.state}/{FILE}"


def lines(layout: Layout, most: int = 2 * LARGEST) -> list[str]:
    """Newest last; the older file first. At most so many bytes of each, from the end."""
    found: list[str] = []
    for path in (_path(layout) + ".1", _path(layout)):
        try:
            descriptor = posix.open(path, posix.O_RDONLY | FLAGS)
        except OSError:
            continue
        try:
            posix.lseek(descriptor, max(0, posix.fstat(descriptor).st_size - most), 0)
            found += posix.read(descriptor, most).decode("utf-8", "replace").splitlines()
        except OSError:  # a folder, a pipe
            continue
        finally:
            posix.close(descriptor)
    return found


def entry_of(line: str) -> Entry | None:
    """None for what is no whole line of ours with figures that can be."""
    words = line.split("\t")
    try:
        at, peak, wall, cpu, reason, code, command, cwd = words
        entry = Entry(command, cwd, float(at), int(peak), float(wall), float(cpu), reason, int(code))
    except ValueError:
        return None
    return entry if all(0 <= figure < MOST for figure in (entry.at, entry.peak, entry.wall, entry.cpu)) else None


def _line(entry: Entry) -> str:
    words = (entry.at, entry.peak, entry.wall, entry.cpu, entry.reason, entry.exit, entry.command, entry.cwd)
    return "\t".join(str(word).replace("\t", " ").replace("\n", " ") for word in words) + "\n"


def add(layout: Layout, entry: Entry) -> None:
    """Append one line. A history that cannot be written is no reason to fail: nothing depends on it."""
    path = _path(layout)
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | FLAGS
    try:
        descriptor = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        from guards.limits.store import StoreError, make_folder

        try:
            make_folder(layout.state)
            descriptor = posix.open(path, flags, 0o600)
        except (OSError, StoreError):
            return
    except OSError:
        return
    try:
        posix.write(descriptor, _line(entry).encode("utf-8", "surrogateescape"))
        if posix.fstat(descriptor).st_size > LARGEST:
            posix.rename(path, path + ".1")
    except OSError:
        return
    finally:
        posix.close(descriptor)


def learned(layout: Layout, command: str, cwd: str) -> int | None:
    """The largest peak of the last ten runs of this command in this folder; None when it was never seen."""
    mark = f"\t{command}\t"
    peaks = []
    for line in reversed(lines(layout, RECENT)):
        if mark in line and (entry := entry_of(line)) is not None and (entry.command, entry.cwd) == (command, cwd):
            peaks.append(entry.peak)
            if len(peaks) == LAST:
                break
    return max(peaks, default=0) or None
