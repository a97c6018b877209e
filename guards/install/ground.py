"""Whether the places that were asked for can bear an installation: looked at before anything is made, so that a refusal costs nothing.

A reason says what is wrong, where, and which option or command mends it.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout

ROOM = 80 << 20
"""Bytes that a release takes while it is made and tried."""

OURS = ("releases", "shims", "agents", "venv", "compiled", "layout.txt")
RELEASE = re.compile(r"\d{8}-\d{6}-\d+")
OPTIONS = ("prefix", "bin", "config", "state")

CURES = {
    errno.ENOSPC: "free some space there, or choose a place on another disk",
    errno.EDQUOT: "free some of your quota there, or choose a place on another disk",
    errno.EACCES: "choose a place that you may write, or have its owner run this",
    errno.EPERM: "choose a place that you may write, or have its owner run this",
    errno.EROFS: "choose a place on a disk that can be written",
    errno.EEXIST: "move away what stands there, or choose another place",
    errno.ENOTDIR: "a file stands where a folder should be: move it away, or choose another place",
}


def reasons(layout: Layout) -> Iterator[str]:
    """Why nothing can be installed into `layout`; nothing when it can."""
    places = {name: getattr(layout, name) for name in OPTIONS if not (layout.shared and name in ("config", "state"))}
    wrong = [reason for name, path in places.items() if (reason := _spelled(name, path))]
    yield from wrong
    if wrong:
        return
    for name, path in places.items():
        if name != "config":  # it is never written
            yield from _writable(name, path)
    yield from _foreign(layout)
    if layout.shared:
        yield from _closed(places)
    if shutil.which("git") is None:
        yield "git was not found; Gatepost's main job is about git repositories (apt install git)"


def _spelled(name: str, path: str) -> str:
    """What is wrong with the path itself, "" for nothing."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"--{name} {path!a}: this name is not UTF-8; choose another"
    if any(ord(letter) < ord(" ") for letter in path):
        return f"--{name} {path!a}: a control character stands in this name; choose another"
    if ":" in path and name in ("prefix", "bin"):
        return f"--{name} {path}: this folder has to stand on PATH, which is divided at colons; choose a name without"
    return ""


def _writable(name: str, path: str) -> Iterator[str]:
    """What keeps the folder `path` from being made or filled."""
    there = path
    while not os.path.lexists(there):
        there = os.path.dirname(there) or "/"
    if not os.path.isdir(there):
        yield f"--{name} {path}: {there} is no folder; move it away, or choose another place"
        return
    disk = os.statvfs(there)
    if not os.access(there, os.W_OK | os.X_OK):
        why = "its disk can only be read" if disk.f_flag & os.ST_RDONLY else "you may not write there"
        yield f"--{name} {path}: {there} cannot be written ({why}); choose another place"
    elif name != "state" and disk.f_flag & getattr(os, "ST_NOEXEC", 0):
        yield f"--{name} {path}: programs cannot run there (mounted noexec); choose a place on another disk"
    if name == "prefix" and (free := disk.f_bavail * disk.f_frsize) < ROOM:
        yield f"--{name} {path}: {free >> 20} MB are free there and {ROOM >> 20} are needed; {CURES[errno.ENOSPC]}"


def _foreign(layout: Layout) -> Iterator[str]:
    """Folders that an upgrade or --uninstall would clear, though somebody else's things are in them."""
    inside = _listed(layout.prefix)
    releases = _listed(f"{layout.prefix}/releases")
    if "layout.txt" not in inside:
        strange = [name for name in inside if name not in OURS]
        strange += [f"releases/{name}" for name in releases if not RELEASE.fullmatch(name)]
        if strange or (inside and "releases" not in inside):
            named = ", ".join(ascii(name) for name in (strange or inside)[:3])
            yield (
                f"--prefix {layout.prefix} holds other things ({named}), and an installation wants a folder of its own; "
                f"choose for example --prefix {layout.prefix.rstrip('/')}/gatepost"
            )
    if not layout.shared and not own_runtime(layout.runtime):
        yield f"{layout.runtime} is somebody else's, and that is where grants and running jobs would be kept; choose another --state"


def own_runtime(path: str) -> bool:
    """Whether the runtime folder is absent, or a folder that we made: this user's and nobody else's to enter."""
    try:
        found = os.lstat(path)
    except OSError:
        return True
    return stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077 and found.st_uid == os.geteuid()


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _closed(places: dict[str, str]) -> Iterator[str]:
    """Folders that other users cannot come to, though --system is for all."""
    for name, path in places.items():
        there = path
        while there != "/":
            if os.path.isdir(there) and not os.stat(there).st_mode & 0o001:
                yield f"--{name} {path}: --system is for every user, and others cannot enter {there}; choose another place"
                break
            there = os.path.dirname(there)


def told(error: OSError, layout: Layout) -> str:
    """An error that came all the same, with its place and what mends it."""
    places = [error.filename] if error.filename else []
    if not places and error.errno == errno.ENOSPC:
        places = [path for name in OPTIONS if _full(path := getattr(layout, name))]
    where = ", ".join(os.fsdecode(path) if isinstance(path, bytes) else str(path) for path in places)
    said = (error.strerror or str(error)).lower()
    cure = CURES.get(error.errno or 0)
    return f"{where}: {said}; {cure}" if where and cure else f"{said}; {cure}" if cure else str(error)


def _full(path: str) -> bool:
    while not os.path.exists(path):
        path = os.path.dirname(path) or "/"
    disk = os.statvfs(path)
    return disk.f_bavail * disk.f_frsize < 1 << 20
