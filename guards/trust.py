"""Projects whose `.gatepost.toml` a person has trusted: exactly these bytes, in exactly this folder.

A trust is a file of 0600 in STATE/trust, a real folder of ours and closed to others, named after the content's hash and the project folder's
device and inode. As soon as a byte changes there is none. Whatever is wrong with folder or file means: not trusted. On the way to a hook's answer.
"""

from __future__ import annotations

import posix
import time

from guards import private
from guards.digest import sha256
from policy.project import HIGHEST, LIMIT, NAME
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout

FOLDER, COMPILED = "trust", "projects"
BIGGEST = 65536


class Project(Record):
    """A project's file: the folder it stands in, its bytes, and the name of the trust that these bytes would need there."""

    folder: str
    content: bytes
    mark: str

    @property
    def path(self) -> str:
        """The file."""
        return f"{self.folder}/{NAME}"


class Trusted(Record):
    """One trust: of which folder, since when, for which content (hash)."""

    folder: str
    since: float
    mark: str


def project(cwd: str | None) -> Project | None:
    """The nearest project file at or above a directory that can be read whole; None when there is none."""
    return next(_projects(cwd), None)


def _projects(cwd: str | None) -> Iterator[Project]:
    at = (cwd or "").rstrip("/")
    for _ in range(HIGHEST):
        if not at:
            return
        try:
            opened = posix.open(f"{at}/{NAME}", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        except (OSError, ValueError):
            pass
        else:
            found = _read(opened, at)
            if found is not None:
                yield found
        at = at.rpartition("/")[0]


def _read(opened: int, folder: str) -> Project | None:
    try:
        if posix.fstat(opened).st_mode & 0o170000 != 0o100000:
            return None
        content = b""
        while more := posix.read(opened, LIMIT + 1):
            content += more
            if len(content) > LIMIT:
                return None
        place = posix.stat(folder)
    except OSError:
        return None
    finally:
        posix.close(opened)
    return Project(folder, content, f"{sha256(content).hexdigest()}-{place.st_dev}-{place.st_ino}")


def trusted(layout: Layout, cwd: str | None) -> Project | None:
    """The nearest project at or above a directory whose file a person has trusted as it is now; one that nobody has hides none above it."""
    where = _store(layout)
    if where is None:
        return None
    return next((found for found in _projects(cwd) if _entry(f"{where}/{found.mark}") is not None), None)


def state(layout: Layout, found: Project) -> str:
    """trusted, changed (another content was, in this folder) or untrusted."""
    where = _store(layout)
    if where is None:
        return "untrusted"
    if _entry(f"{where}/{found.mark}") is not None:
        return "trusted"
    place = found.mark.partition("-")[2]
    return "changed" if any(one.mark.partition("-")[2] == place for one in listed(layout)) else "untrusted"


def give(layout: Layout, found: Project) -> None:
    """Trust a project's file as it was read; what was trusted in the folder before no longer is. Raises OSError."""
    import os

    os.makedirs(f"{layout.state}/{FOLDER}", mode=0o700, exist_ok=True)
    where = _store(layout)
    if where is None:
        raise OSError(1, "is no folder of yours that is closed to others", f"{layout.state}/{FOLDER}")
    name = f"{where}/{found.mark}"
    opened = posix.open(
        f"{name}.{posix.getpid()}.new", posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
    )  # fmt: skip
    try:
        posix.write(opened, f"{time.time():.0f}\n{found.folder}\n".encode("utf-8", "surrogateescape"))
        posix.fsync(opened)
    finally:
        posix.close(opened)
    posix.rename(f"{name}.{posix.getpid()}.new", name)
    for one in listed(layout):
        if one.mark != found.mark and one.mark.partition("-")[2] == found.mark.partition("-")[2]:
            _remove(layout, one)


def revoke(layout: Layout, folder: str) -> int:
    """Take every trust in a folder back; how many there were."""
    gone = [one for one in listed(layout) if one.folder == folder]
    for one in gone:
        _remove(layout, one)
    return len(gone)


def listed(layout: Layout) -> list[Trusted]:
    """Every trust, by folder."""
    where = _store(layout)
    return sorted(_entries(where), key=lambda one: one.folder) if where else []


def compiled(layout: Layout, found: Project) -> str:
    """The folder of the policy with this project's file in it."""
    return f"{layout.state}/{COMPILED}/{found.mark}"


def _entries(where: str) -> Iterator[Trusted]:
    for name in posix.listdir(where):
        content = _entry(f"{where}/{name}") if not name.endswith(".new") else None
        if content is not None:
            yield Trusted(content[1], content[0], name)


def _remove(layout: Layout, one: Trusted) -> None:
    posix.unlink(f"{layout.state}/{FOLDER}/{one.mark}")
    folder = f"{layout.state}/{COMPILED}/{one.mark}"
    try:
        for name in posix.listdir(folder):
            posix.unlink(f"{folder}/{name}")
        posix.rmdir(folder)
    except OSError:
        pass  # nothing reads it any more


def _store(layout: Layout) -> str | None:
    """The store, when it is a real folder of ours that nobody else may enter."""
    path = f"{layout.state}/{FOLDER}"
    try:
        found = posix.lstat(path)
    except OSError:
        return None
    return path if found.st_uid == posix.geteuid() and found.st_mode & 0o170077 == 0o040000 else None


def _entry(path: str) -> tuple[float, str] | None:
    """When it was given and for which folder; None for what is no trust of ours."""
    try:
        since, folder, _ = (private.content(path, BIGGEST) or b"").decode("utf-8", "surrogateescape").split("\n", 2)
        return float(since), folder
    except ValueError:
        return None
