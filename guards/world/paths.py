"""Paths and files with the `posix` module alone (`os.path` costs more at start-up than the questions asked of it)."""

from __future__ import annotations

import posix

from policy.programs.paths import normal
from policy.world import PathFacts

REGULAR, DIRECTORY, LINK, BLOCK, CHARACTER = 0o100000, 0o040000, 0o120000, 0o060000, 0o020000
TYPE = 0o170000
LINKS = 40
"""How many symbolic links one path may go through, as in Linux."""


def join(base: str, path: str) -> str:
    """`path` seen from `base`, normalised by text."""
    return normal(path if path.startswith("/") else f"{base}/{path}")


def parent(path: str) -> str:
    return path[: path.rindex("/")] or "/"


def inside(path: str, root: str) -> bool:
    """Whether `path` is `root` or lies below it, by text."""
    return path == root or path.startswith(root if root == "/" else root + "/")


def real(path: str, known: dict[str, str] | None = None) -> str:
    """The physical path; parts that do not exist stay as they are, a chain of too many links stays unresolved.

    `known` are answers that were given before; those to this path and to the folders above it are added.
    """
    if known is None:
        return _followed(path)
    found = known.get(path)
    if found is None:
        folder, _, name = path.rpartition("/")
        if folder and name not in ("", ".", "..") and not _is_link(here := f"{real(folder, known).rstrip('/')}/{name}"):
            found = here
        else:
            found = _followed(path)
        known[path] = found
    return found


def _is_link(path: str) -> bool:
    try:
        return posix.lstat(path).st_mode & TYPE == LINK
    except (OSError, ValueError):
        return False


def _followed(path: str) -> str:
    """The same without a memory."""
    todo = [part for part in reversed(path.split("/")) if part and part != "."]
    done: list[str] = []
    links = 0
    while todo:
        part = todo.pop()
        if part == "..":
            if done:
                done.pop()
            continue
        here = "/" + "/".join([*done, part])
        try:
            target = posix.readlink(here) if posix.lstat(here).st_mode & TYPE == LINK else None
        except (OSError, ValueError):
            target = None
        if target is None or links >= LINKS:
            done.append(part)
            continue
        links += 1
        if target.startswith("/"):
            done.clear()
        todo.extend(piece for piece in reversed(target.split("/")) if piece and piece != ".")
    return "/" + "/".join(done)


def is_directory(path: str) -> bool:
    try:
        return posix.stat(path).st_mode & TYPE == DIRECTORY
    except (OSError, ValueError):
        return False


def exists(path: str) -> bool:
    """Whether something stands at the path itself, a dangling link too."""
    try:
        posix.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def read(path: str, limit: int) -> bytes | None:
    """A regular file's bytes; None when it is missing, unreadable, something else or longer than `limit`. Never blocks on a pipe."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOCTTY | posix.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        facts = posix.fstat(descriptor)
        if facts.st_mode & TYPE != REGULAR or facts.st_size > limit:
            return None
        parts = []
        size = 0
        while chunk := posix.read(descriptor, 1 << 20):
            parts.append(chunk)
            size += len(chunk)
            if size > limit:
                return None
        return b"".join(parts)
    except OSError:
        return None
    finally:
        posix.close(descriptor)


def names(path: str, limit: int) -> list[str]:
    """A directory's names, sorted, at most `limit`; [] when it is none."""
    try:
        return sorted(posix.listdir(path))[:limit]
    except (OSError, ValueError):
        return []


def text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def facts(path: str, known: dict[str, str] | None = None) -> PathFacts:
    """What stands at a path, links not followed for `kind`; `known` as for `real`."""
    try:
        found = posix.lstat(path)
    except (OSError, ValueError):
        return PathFacts("missing", real(path, known))
    kind = found.st_mode & TYPE
    mode = found.st_mode & 0o7777
    if kind == REGULAR:
        return PathFacts("file", real(path, known), "", mode, found.st_size)
    if kind == DIRECTORY:
        try:
            entries = len(posix.listdir(path))
        except OSError:
            entries = 0
        return PathFacts("directory", real(path, known), "", mode, 0, entries)
    if kind == LINK:
        try:
            target = posix.readlink(path)
        except OSError:
            target = ""
        return PathFacts("link", real(path, known), target, mode)
    return PathFacts("device" if kind in (BLOCK, CHARACTER) else "other", real(path, known), "", mode)
