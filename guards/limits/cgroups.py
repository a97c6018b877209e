"""Where this process stands in the control-group hierarchies, as paths in the file system. Reads only."""

from __future__ import annotations

from guards.limits.procfs import read
from policy.record import Record

_text: list[str] = []
_here: dict[str, Place] = {}


class Place(Record):
    """`mount` is where the hierarchy is mounted, `own` our group's folder in it; both absolute. `version` is 1 or 2."""

    version: int
    mount: str
    own: str


def _unescape(path: str) -> str:
    """Mountinfo writes blanks and backslashes as octal escapes."""
    if "\\" not in path:
        return path
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        path = path.replace(code, character)
    return path


def _folder(mount: str, root: str, group: str) -> str:
    """A group's folder below a mount that may show only a part of the hierarchy (`root`), as in a container."""
    if root not in {"", "/"}:
        if group == root:
            return mount
        if group.startswith(root + "/"):
            return mount + group[len(root) :]
    return mount if group == "/" or ".." in group else mount + group


def places(membership: str | None = None, mounts: str | None = None) -> dict[str, Place]:
    """Controller name to Place; "unified" for version 2. Arguments are the texts of /proc/self/cgroup and mountinfo, for tests."""
    if membership is None:
        membership = memberships()
    if mounts is None:
        mounts = read("/proc/self/mountinfo").decode("utf-8", "surrogateescape")
    groups: dict[str, str] = {}
    for line in membership.splitlines():
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(",") if controllers else ("unified",):
            groups[controller] = group
    found: dict[str, Place] = {}
    for line in mounts.splitlines():
        if " - cgroup" not in line:
            continue
        front, _, back = line.partition(" - ")
        root, mount = (_unescape(part) for part in front.split()[3:5])
        kind, _, options = back.split(None, 2)
        version = 2 if kind == "cgroup2" else 1
        for controller in ("unified",) if version == 2 else options.rpartition(" ")[2].split(","):
            if controller in groups and controller not in found:
                found[controller] = Place(version, mount, _folder(mount, root, groups[controller]))
    return found


def memberships() -> str:
    """The text of /proc/self/cgroup, read once: a supervisor does not move."""
    if not _text:
        _text.append(read("/proc/self/cgroup").decode("utf-8", "surrogateescape"))
    return _text[0]


def here() -> dict[str, Place]:
    """places() of this process, read once."""
    if not _here:
        _here.update(places())
    return _here


def ancestors(place: Place) -> list[str]:
    """Folders from our own group up to the mount, both included."""
    found = [place.own]
    while found[-1] != place.mount and found[-1].startswith(place.mount):
        found.append(found[-1].rpartition("/")[0])
    return found
