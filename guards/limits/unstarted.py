"""Why a command did not start, as a person can mend it."""

from __future__ import annotations

import posix

from guards.limits.deliver import FOLDER, KIND
from guards.limits.show import show_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.spawn import Started

ENOENT, EACCES = 2, 13


def words(name: str, started: Started) -> str:
    """`cannot run './x': it is not marked as executable (chmod +x ./x)`."""
    if started.step != "exec":
        return f"cannot set the limits: {posix.strerror(started.error) if started.error else started.detail}"
    shown = show_name(name)
    cause = _cause(name, shown, started.error)
    return f"cannot run {shown!r}: {cause or (posix.strerror(started.error) if started.error else started.detail)}"


def _cause(name: str, shown: str, error: int) -> str:
    """More than the error's own words say, "" where there is no more."""
    if "/" not in name:
        return (
            "No such file or directory (there is no command of that name on PATH)" if error == ENOENT and name else ""
        )
    try:
        kind = posix.stat(name).st_mode & KIND
    except OSError:
        return ""
    if error == ENOENT:
        return "the file is there, but the interpreter or loader that it names is not (see its first line)"
    if error == EACCES and kind == FOLDER:
        return "it is a folder"
    if error == EACCES and not posix.access(name, posix.X_OK):
        return f"it is not marked as executable (chmod +x {shown}, or name the program that reads it)"
    return ""
