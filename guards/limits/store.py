"""Files of the runtime folder: a private folder, whole files only, nothing followed that others may have put there."""

from __future__ import annotations

import posix


def replace(path: str, text: str) -> None:
    """Write a whole file beside its place and move it there. Raises OSError."""
    beside = f"{path}.{posix.getpid()}.new"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
    descriptor = posix.open(beside, flags, 0o600)
    try:
        posix.write(descriptor, text.encode("utf-8", "surrogateescape"))
    finally:
        posix.close(descriptor)
    posix.rename(beside, path)
