"""A change to one file: shown as a diff, made atomically, with a dated copy of what stood there."""

from __future__ import annotations

import contextlib
import difflib
import os
import stat
import time

from policy.record import Record

PATIENCE = 0.1
"""Seconds between two looks for a name of a dated copy that is free; such names count seconds."""


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

        Raises Conflict when the file is no longer what was read, or cannot be written; the old file then still stands.
        """
        if self.before == self.after:
            return None
        try:
            return self._make(os.path.realpath(self.path))
        except OSError as error:
            at = error.filename or self.path
            raise Conflict(
                f"{self.path} was not changed: {at}: {(error.strerror or str(error)).lower()}; "
                "give this user the right and the room to write there, then run this again"
            ) from None

    def _make(self, path: str) -> str | None:
        if read(path) != self.before:
            raise Conflict(f"{self.path} was changed by another program in the meantime; run this again")
        copy: str | None = None
        if self.before is not None and self.keep:
            copy = _dated(path)
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


def _dated(path: str) -> str:
    """A name for a copy of `path` that nothing has yet."""
    while os.path.lexists(name := f"{path}.gatepost-{time.strftime('%Y%m%d-%H%M%S')}.bak"):
        time.sleep(PATIENCE)
    return name


def read(path: str) -> str | None:
    """The file's text, None when there is none. Raises Conflict when it cannot be read, or is not UTF-8."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Conflict(f"{path} is no plain file; nothing was changed")
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise Conflict(f"{path} is not UTF-8; nothing was changed") from None
    except OSError as error:
        raise Conflict(
            f"{path} cannot be read ({(error.strerror or str(error)).lower()}); nothing was changed"
        ) from None


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
    """A file with this text, whole or not at all."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            os.fchmod(descriptor, mode)
            file.write(text)
            file.flush()
            os.fsync(descriptor)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise OSError(error.errno, error.strerror, path) from None
