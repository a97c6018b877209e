"""Which program a name really means: the first on PATH that is neither one of our shims nor a version manager's.

Ours are told by device and inode of their folder and by the family mark in the file, so that a copy, an older generation, a symbolic
link to the folder or a second installation never counts as the real program.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = b"family gatepost"
"""The same text as shims.generate.MARK; stands in the first block of every generated program, compiled ones too."""

BLOCK = 4096
MANAGERS = frozenset(
    (
        "mise",
        "rtx",
        "asdf",
        "pyenv",
        "rbenv",
        "nodenv",
        "goenv",
        "jenv",
        "plenv",
        "volta-shim",
        "volta",
        "proto",
        "proto-shim",
        "aqua-proxy",
    )
)
"""Programs that stand in for others and look the real one up again, by the name that their links resolve to."""

SHIM_FOLDERS = (
    "/mise/shims/",
    "/rtx/shims/",
    "/.asdf/shims/",
    "/asdf/shims/",
    "/.pyenv/shims/",
    "/.rbenv/shims/",
    "/.nodenv/shims/",
    "/.proto/shims/",
)
CALLS = (
    b"asdf exec",
    b"pyenv exec",
    b'pyenv" exec',
    b"rbenv exec",
    b"nodenv exec",
    b"goenv exec",
    b"mise x",
    b"mise exec",
)


def find(name: str, path: str, own: str = "") -> str | None:
    """The absolute path of the real program, or None. `own` is our shim folder: what stands before it on PATH is left out.

    Relative and empty entries of PATH are left out, too: what they name changes with each `cd`.
    """
    return next(candidates(name, path, own), None)


def candidates(name: str, path: str, own: str = "") -> Iterator[str]:
    """Every real program of that name in PATH order, each file once."""
    seen = set()
    for folder in after(path, own):
        found = folder.rstrip("/") + "/" + name
        here = identity(found)
        if here is None or here in seen:
            continue
        seen.add(here)
        if executable(found) and not is_ours(found) and not is_manager(found):
            yield found


def after(path: str, own: str) -> list[str]:
    """The absolute entries of PATH that come after our own folder; all but ours when it is not there. Found by device and inode."""
    entries = [entry for entry in path.split(":") if entry.startswith("/")]
    ours = identity(own) if own else None
    if ours is None:
        return entries
    places = [place for place, entry in enumerate(entries) if identity(entry) == ours]
    rest = entries[places[0] + 1 :] if places else entries
    return [entry for entry in rest if identity(entry) != ours]


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of what a path leads to, None when there is nothing."""
    try:
        found = posix.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def executable(path: str) -> bool:
    """Whether it is a regular file that we may start."""
    try:
        return posix.stat(path).st_mode & 0o170000 == 0o100000 and posix.access(path, posix.X_OK)
    except (OSError, ValueError):
        return False


def is_ours(path: str) -> bool:
    """Whether the file carries the family mark."""
    return MARK in head(path)


def is_script(path: str) -> bool:
    """Whether the file is run by an interpreter: only such a program can look itself up on PATH again."""
    return head(path)[:2] == b"#!"


def is_manager(path: str) -> bool:
    """Whether the file belongs to a version manager, which would search PATH and may find us."""
    real = target(path)
    if real.rpartition("/")[2] in MANAGERS or any(folder in path or folder in real for folder in SHIM_FOLDERS):
        return True
    start = head(path)
    return start[:2] == b"#!" and any(call in start for call in CALLS)


def head(path: str) -> bytes:
    """The file's first block, b"" when it cannot be read."""
    try:
        opened = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (OSError, ValueError):
        return b""
    try:
        return posix.read(opened, BLOCK)
    except OSError:
        return b""
    finally:
        posix.close(opened)


def target(path: str) -> str:
    """Where a chain of symbolic links ends, as written in the last of them; the path itself when it is none."""
    for _ in range(16):
        try:
            link = posix.readlink(path)
        except (OSError, ValueError):
            return path
        path = link if link.startswith("/") else path.rpartition("/")[0] + "/" + link
    return path
