"""Grants: what the hook let through on purpose, so that the shim behind it does not refuse the same command once more.

A grant names a rule, an argv, a directory (by device and inode) and the agent whose hook left it; it lasts ten minutes and is used up by
the first shim that takes it. Each is a file of 0600 in RUNTIME/grants, which must be a real folder of ours and closed to others; its name
is a hash, so neither arguments nor ids from a payload reach the file system. Whatever is wrong with folder or file means: no grant.
"""

from __future__ import annotations

import marshal
import posix
import time

from guards import kin, private
from guards.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from guards.layout import Layout

SECONDS = 600
FORMAT = 1
BIGGEST = 4096


def leave(layout: Layout, rule: str, argv: Sequence[str], cwd: str, session: str) -> bool:
    """Let one shim pass `argv` in `cwd` although `rule` speaks against it. False when it could not be written: the shim then refuses."""
    return leave_for(layout, rule, argv, cwd, (session, kin.agent()))


def leave_for(layout: Layout, rule: str, argv: Sequence[str], cwd: str, whom: tuple[str, str]) -> bool:
    """The same for another agent: its session's id and the mark of its process (guards.kin)."""
    where = folder(layout, "grants")
    if where is None:
        return False
    key = _key(rule, argv, cwd)
    if key is None:
        return False
    content = marshal.dumps((FORMAT, time.time(), *whom))
    name = f"{where}/{key}-{posix.getpid()}-{time.monotonic_ns()}"
    try:
        with _Lock(where):
            _sweep(where)
            opened = posix.open(
                name + ".new", posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
            )
            try:
                posix.write(opened, content)
            finally:
                posix.close(opened)
            posix.rename(name + ".new", name)
    except OSError:
        return False
    return True


def take(layout: Layout, rule: str, argv: Sequence[str], cwd: str, session: str) -> bool:
    """Whether there is a grant for exactly this, of this session or of an agent that is our ancestor; it is gone afterwards."""
    return take_all(layout, (rule,), argv, cwd, session)


def take_all(layout: Layout, rules: Sequence[str], argv: Sequence[str], cwd: str, session: str) -> bool:
    """Whether there is a grant for each of the rules; only then are they used up."""
    where = folder(layout, "grants")
    keys = [_key(rule, argv, cwd) for rule in rules]
    if where is None or not all(key and any(_files(where, key)) for key in keys) or not keys:
        return False  # as mostly: without a lock, since what is not there yet was left too late for this
    try:
        with _Lock(where):
            found = [next((path for path in _files(where, key) if _fits(path, session)), None) for key in keys if key]
            if len(found) < len(keys) or None in found:
                return False
            for path in found:
                posix.unlink(path or "")
    except OSError:
        return False
    return True


def _fits(path: str, session: str) -> bool:
    """Whether a grant is meant for us. What is too old, or no grant of ours, is removed and does not count."""
    content = _content(path)
    if content is None or not 0 <= time.time() - content[0] <= SECONDS:
        posix.unlink(path)
        return False
    return (session != "" and session == content[1]) or kin.descends_from(content[2])


def _content(path: str) -> tuple[float, str, str] | None:
    """When it was left, for which session, by whose agent."""
    try:
        kind, when, session, agent = marshal.loads(private.content(path, BIGGEST) or b"")  # noqa: S302  -- ours alone
    except (ValueError, TypeError, EOFError):
        return None
    if kind != FORMAT or not isinstance(when, float) or not isinstance(session, str) or not isinstance(agent, str):
        return None
    return when, session, agent


def _sweep(where: str) -> None:
    """Remove what nobody took in time."""
    for name in posix.listdir(where):
        path = f"{where}/{name}"
        if name != "lock" and not 0 <= time.time() - posix.lstat(path).st_mtime <= SECONDS:
            posix.unlink(path)


def _files(where: str, key: str | None) -> Iterator[str]:
    return (
        f"{where}/{name}"
        for name in sorted(posix.listdir(where))
        if name.startswith(f"{key}-") and not name.endswith(".new")
    )


def _key(rule: str, argv: Sequence[str], cwd: str) -> str | None:
    """A hash of what is granted; the program counts by its name alone, since a hook sees `git` where a shim sees a path."""
    try:
        place = posix.stat(cwd)
    except (OSError, ValueError):
        return None
    if not argv:
        return None
    words = [rule, f"{place.st_dev}:{place.st_ino}", argv[0].rpartition("/")[2], *argv[1:]]
    parts = (text.encode("utf-8", "surrogateescape") for text in words)
    key: str = sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()
    return key


def folder(layout: Layout, name: str) -> str | None:
    """RUNTIME/NAME, made if need be; None unless it and the runtime folder are real folders of ours that nobody else may enter."""
    for path in (layout.runtime, f"{layout.runtime}/{name}"):
        try:
            found = _made(path)
        except OSError:
            return None
        if found.st_uid != posix.geteuid() or found.st_mode & 0o170077 != 0o040000:
            return None
    return f"{layout.runtime}/{name}"


def _made(path: str) -> posix.stat_result:
    """What stands at a path, a new folder when nothing does."""
    try:
        return posix.lstat(path)
    except FileNotFoundError:
        pass
    try:  # noqa: SIM105
        posix.mkdir(path, 0o700)
    except FileExistsError:
        pass  # somebody was quicker
    return posix.lstat(path)


class _Lock:
    """One process at a time; released by the kernel however we end."""

    def __init__(self, where: str) -> None:
        self.opened = posix.open(
            where + "/lock", posix.O_WRONLY | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
        )

    def __enter__(self) -> None:
        import fcntl  # a file of its own in many builds, and most of who asks for a folder takes no lock

        fcntl.flock(self.opened, fcntl.LOCK_EX)

    def __exit__(self, *_error: object) -> None:
        posix.close(self.opened)
