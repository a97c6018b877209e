"""Put a report where a person asked for it, and nothing else in its place: not a link, not a device, not half a file."""

from __future__ import annotations

import posix

from guards.limits.store import put, write_whole

KIND, FOLDER, PLAIN = 0o170000, 0o040000, 0o100000
"""Bits of a file's mode that tell what it is."""
MOST_LINKS, ENOENT = 40, 2


def refuses(path: str) -> str:
    """What stands against writing a file there, "" for nothing."""
    if _into(path):
        return "" if posix.access(path, posix.W_OK) else "it cannot be written"
    real = _real(path)
    folder = real.rpartition("/")[0] or ("/" if real.startswith("/") else ".")
    try:
        if posix.stat(real).st_mode & KIND == FOLDER:
            return "it is a folder"
    except FileNotFoundError:
        pass
    except OSError as error:
        return error.strerror or "it cannot be looked at"
    try:
        if not posix.stat(folder).st_nlink:
            return "its folder has been removed"
    except OSError as error:
        return f"there is no folder {folder}" if error.errno == ENOENT else f"{folder}: {error.strerror}"
    return "" if posix.access(folder, posix.W_OK | posix.X_OK) else "its folder cannot be written"


def deliver(path: str, text: str) -> None:
    """Write a file anywhere, whole or not at all: beside its place first, then moved there. Raises OSError.

    A link stays one. What is no plain file (a pipe, a terminal) is written into; what our output goes to, by that output: it continues there,
    and what follows us does not overwrite it.
    """
    if (ours := _output(path)) >= 0:
        write_whole(ours, text)
        return
    if _into(path):
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_NOCTTY | posix.O_NONBLOCK | posix.O_CLOEXEC
        descriptor = posix.open(path, flags)  # a pipe that nobody reads is an error, and no reason to wait
        try:
            posix.set_blocking(descriptor, True)
            write_whole(descriptor, text)
        finally:
            posix.close(descriptor)
        return
    real = _real(path)
    beside = f"{real}.{posix.getpid()}.new"
    try:
        put(beside, text)
        posix.rename(beside, real)
    except OSError:
        _forget(beside)
        raise


def _into(path: str) -> bool:
    """Whether it is there and never to be replaced: no plain file, or the one that our output goes to."""
    try:
        kind = posix.stat(path).st_mode & KIND
    except OSError:
        return False
    return kind not in {PLAIN, FOLDER} or _output(path) >= 0


def _output(path: str) -> int:
    """The descriptor, 1 or 2, by which our own output goes to that very file, pipe or terminal; -1 for neither."""
    try:
        found = posix.stat(path)
    except OSError:
        return -1
    return next((descriptor for descriptor in (1, 2) if _is_open(found, descriptor)), -1)


def _is_open(found: posix.stat_result, descriptor: int) -> bool:
    try:
        other = posix.fstat(descriptor)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (other.st_dev, other.st_ino)


def _real(path: str) -> str:
    """Where the links end that the last part of a path may be."""
    for _ in range(MOST_LINKS):
        try:
            target = posix.readlink(path)
        except OSError:
            break
        path = target if target.startswith("/") else f"{path.rpartition('/')[0] or '.'}/{target}"
    return path


def _forget(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        return
