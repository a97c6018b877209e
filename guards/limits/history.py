"""What commands needed before: one line a run in the state folder, read back for a job's reservation and by `with-limits history`."""

from __future__ import annotations

import posix

from guards.limits.spec import show_duration, show_size
from guards.wire import Malformed, decode, encode
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

FILE = "limits-history.jsonl"
LARGEST = 512 << 10
"""Bytes after which the file is moved aside, so that at most twice this is kept."""
LAST = 10
RECENT = 64 << 10
"""Bytes of the history that are looked through for a job's reservation."""
WORDS = 3
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+")
BARS = "▁▂▃▄▅▆▇█"
USAGE = "usage: with-limits history [--json]"


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


def _lines(layout: Layout, most: int = 2 * LARGEST) -> list[str]:
    """Newest last; the older file first. At most so many bytes of each, from the end."""
    found: list[str] = []
    for path in (_path(layout) + ".1", _path(layout)):
        try:
            descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
        except OSError:
            continue
        try:
            posix.lseek(descriptor, max(0, posix.fstat(descriptor).st_size - most), 0)
            found += posix.read(descriptor, most).decode("utf-8", "replace").splitlines()
        finally:
            posix.close(descriptor)
    return found


def _entry(line: str) -> Entry | None:
    try:
        found = decode(line)
        return Entry(**found) if isinstance(found, dict) else None
    except (Malformed, TypeError):
        return None


def add(layout: Layout, entry: Entry) -> None:
    """Append one line. A history that cannot be written is no reason to fail: nothing depends on it."""
    path = _path(layout)
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
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
        posix.write(descriptor, (encode(entry.as_dict()) + "\n").encode("utf-8", "surrogateescape"))
        if posix.fstat(descriptor).st_size > LARGEST:
            posix.rename(path, path + ".1")
    except OSError:
        return
    finally:
        posix.close(descriptor)


def learned(layout: Layout, command: str, cwd: str) -> int | None:
    """The largest peak of the last ten runs of this command in this folder; None when it was never seen."""
    mark = encode(command)
    peaks = []
    for line in reversed(_lines(layout, RECENT)):
        if mark in line and (entry := _entry(line)) is not None and (entry.command, entry.cwd) == (command, cwd):
            peaks.append(entry.peak)
            if len(peaks) == LAST:
                break
    return max(peaks, default=0) or None


def sparkline(values: list[int]) -> str:
    """One bar a value, the tallest for the largest."""
    top = max(values, default=0)
    return "".join(BARS[min(7, value * 8 // (top + 1))] for value in values)


def main(argv: list[str], layout: Layout) -> int:
    """`with-limits history [--json]`: a line a command, newest last."""
    if argv not in ([], ["--json"]):
        print(USAGE)
        return 0 if argv in (["--help"], ["-h"]) else 125
    entries = [entry for line in _lines(layout) if (entry := _entry(line)) is not None]
    if argv:
        print(encode([entry.as_dict() for entry in entries]))
        return 0
    grouped: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        grouped.setdefault((entry.command, entry.cwd), []).append(entry)
    for (command, cwd), runs in sorted(grouped.items(), key=lambda item: item[1][-1].at):
        last = runs[-20:]
        bad = sum(run.reason not in {"exit", "signal"} for run in runs)
        print(
            f"{sparkline([run.peak for run in last]):20}  {show_size(max(run.peak for run in last)):>9}"
            f"  {show_duration(last[-1].wall):>9}  {len(runs):3} runs"
            + (f", {bad} ended by a limit" if bad else "")
            + f"  {command}  ({cwd})"
        )
    if not grouped:
        print("no run yet")
    return 0
