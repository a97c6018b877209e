"""What we keep between calls is read only when it is ours and closed to others. On the way to a hook's and a shim's answer."""

from __future__ import annotations

import posix

KIND_AND_OTHERS, PLAIN = 0o170077, 0o100000
"""Bits of a mode: what kind of thing it is and what others may do; a plain file of its owner alone."""


def content(path: str, most: int) -> bytes | None:
    """The bytes of a plain file that this user owns and nobody else may open; None for a link, for more than `most` bytes, for anything else."""
    try:
        opened = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return None
    try:
        found = posix.fstat(opened)
        if found.st_uid != posix.geteuid() or found.st_mode & KIND_AND_OTHERS != PLAIN or found.st_size > most:
            return None
        return posix.read(opened, most)
    except OSError:
        return None
    finally:
        posix.close(opened)
