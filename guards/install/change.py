"""A change to one file: shown as a diff, made atomically, with a dated copy of what stood there."""

from __future__ import annotations

import difflib
import os
import time

from policy.record import Record


class Conflict(Exception):  # noqa: N818
    """The change was not made; the message says why and what to do."""


class Change(Record):
    """`before` is the text that was read (None: no file), `after` what it becomes (None: the file goes). Equal ones are no change.

    `keep` leaves a dated copy of the former text; `spent` are copies that go with this change.
    """

    path: str
    before: str | None
    after: str | None
    mode: int = 0o600
    keep: bool = True
    spent: tuple[str, ...] = ()

    def diff(self) -> str:
        """A unified diff; "" when nothing changes."""
        old, new = self.before or "", self.after or ""
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            self.path if self.before is not None else "/dev/null",
            self.path if self.after is not None else "/dev/null",
        )
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)

    def make(self) -> str | None:
        """Write it, through symbolic links to the file that they lead to; the name of the copy of the old text, None without one.

        Raises Conflict when the file is no longer what was read, OSError when it cannot be written; the old file then still stands.
        """
        if self.before == self.after:
            return None
        path = os.path.realpath(self.path)
        if read(path) != self.before:
            raise Conflict(f"{self.path} was changed by another program in the meantime; run this again")
        copy = None
        if self.before is not None and self.keep:
            copy = f"{path}.gatepost-{time.strftime('%Y%m%d-%H%M%S')}.bak"
            _write(copy, self.before, os.stat(path).st_mode & 0o777)
        if self.after is None:
            os.unlink(path)
            _prune(os.path.dirname(path))
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            mode = os.stat(path).st_mode & 0o777 if self.before is not None else self.mode
            beside = f"{path}.{os.getpid()}.new"
            _write(beside, self.after, mode)
            os.replace(beside, path)
        for spent in self.spent:
            os.unlink(spent)
        return copy


def read(path: str) -> str | None:
    """The file's text, None when there is none. Raises Conflict when it is not UTF-8."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Conflict(f"{path} is not UTF-8; nothing was changed") from None


def _prune(folder: str) -> None:
    """Remove folders in which nothing stands any more, upwards, but never the home or the current directory."""
    kept = {os.path.realpath(os.path.expanduser("~")), os.path.realpath(".")}
    while os.path.realpath(folder) not in kept:
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)


def _write(path: str, text: str, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        os.fchmod(descriptor, mode)
        file.write(text)
        file.flush()
        os.fsync(descriptor)
