"""Small files for what shims keep: whole or not at all, ours alone."""

from __future__ import annotations

import posix


def put(path: str, data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one."""
    beside = f"{path}.{posix.getpid()}.new"
    opened = posix.open(
        beside, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
    )
    try:
        while data:
            data = data[posix.write(opened, data) :]
    finally:
        posix.close(opened)
    posix.rename(beside, path)


def get(path: str, limit: int = 1 << 20) -> bytes | None:
    """The content of a regular file, None when there is none or it is larger than `limit`."""
    try:
        opened = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        found = posix.fstat(opened)
        if found.st_mode & 0o170000 != 0o100000 or found.st_size > limit:
            return None
        data = b""
        while part := posix.read(opened, 65536):
            data += part
    except OSError:
        return None
    finally:
        posix.close(opened)
    return data


def folder(path: str) -> None:
    """Make a folder and those above it that are missing, 0700."""
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        folder(path.rpartition("/")[0])
        posix.mkdir(path, 0o700)


def remove(path: str) -> None:
    """Remove a file or a whole folder of ours; links are removed, not followed. What is gone already is fine. Raises OSError."""
    try:
        found = posix.lstat(path)
    except FileNotFoundError:
        return
    if found.st_mode & 0o170000 != 0o040000:
        posix.unlink(path)
        return
    for name in posix.listdir(path):
        remove(f"{path}/{name}")
    posix.rmdir(path)
