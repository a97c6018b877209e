"""What is uncommitted in a working tree: index against disk, index against HEAD. No filter, hook or monitor is run.

A file whose stat differs from its index entry counts as modified unless the blob hash of its bytes proves it equal.
"""

from __future__ import annotations

import posix

from guards.world import paths
from guards.world.budget import CHUNK
from guards.world.index import ASSUME_UNCHANGED, INTENT_TO_ADD, SKIP_WORKTREE, STAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from guards.world.budget import Budget
    from guards.world.index import Entry, Index

    class Digest(Protocol):
        def update(self, content: bytes, /) -> None: ...
        def digest(self) -> bytes: ...


GITLINK, SYMLINK, FILE, TREE = 0o160000, 0o120000, 0o100000, 0o040000
BLOB = 32 << 20
"""A stat-dirty file larger than this counts as modified without a look at its bytes."""


class Settings:
    """What the configuration says about comparing."""

    __slots__ = ("crlf", "mode", "trust_ctime")

    def __init__(self, values: dict[str, list[str]]) -> None:
        last = {key: found[-1].lower() for key, found in values.items()}
        self.trust_ctime = last.get("core.trustctime", "true") not in ("false", "no", "off", "0")
        self.trust_ctime = self.trust_ctime and last.get("core.checkstat", "default") != "minimal"
        self.mode = last.get("core.filemode", "true") not in ("false", "no", "off", "0")
        self.crlf = last.get("core.autocrlf", "") == "true"


class Disk:
    """The index against the disk. `known_to` says whether some other recorded version of an unmerged path has these bytes."""

    def __init__(self, root: str, index: Index, settings: Settings, budget: Budget) -> None:
        self.root = root.rstrip("/")
        self.index = index
        self.settings = settings
        self.budget = budget
        self.modified: list[str] = []
        self.deleted: list[str] = []
        self.intent: list[str] = []
        self.assumed: list[str] = []
        self.skipped: list[str] = []
        self.unmerged: dict[str, set[bytes]] = {}
        self.folders: dict[str, bool] = {"": True}

    def run(self) -> Disk:
        entries = self.index.entries
        self.budget.spend(len(entries), "the working tree")
        stamp_s, stamp_ns = self.index.stamp
        prefix, base, there = "", f"{self.root}/", True
        lstat = posix.lstat
        trust_ctime = self.settings.trust_ctime
        for entry in entries:
            path, mode, _, size, mtime, mtime_ns, ctime, flags = entry
            if flags & ~0xFFF or mode & 0o170000 != FILE:
                self.special(entry)
                continue
            cut = path.rfind("/")
            if path[: cut + 1] != prefix:
                prefix = path[: cut + 1]
                there = self.folder(prefix)
            if not there:
                self.deleted.append(path)
                continue
            try:
                found = lstat(base + path)
            except OSError:
                self.deleted.append(path)
                continue
            written = found.st_mtime_ns
            if (
                found.st_size != size
                or found.st_mode & 0o170100 != mode & 0o170100
                or written // 1_000_000_000 & 0xFFFFFFFF != mtime
                or (mtime_ns and written % 1_000_000_000 != mtime_ns)
                or (trust_ctime and int(found.st_ctime) & 0xFFFFFFFF != ctime)
                or (mtime, mtime_ns) >= (stamp_s, stamp_ns if mtime_ns else 0)
            ):
                self.differing(entry, found, self.modified)
        return self

    def special(self, entry: Entry) -> None:
        """Everything but an ordinary file at stage 0 without flags."""
        path, mode, oid, *_, flags = entry
        if flags & STAGE:
            self.unmerged.setdefault(path, set()).add(oid)
            return
        if mode in (GITLINK, TREE):
            return
        try:
            found = posix.lstat(f"{self.root}/{path}") if self.folder(path[: path.rfind("/") + 1]) else None
        except OSError:
            found = None
        if flags & INTENT_TO_ADD:
            if found is not None:
                self.intent.append(path)
        elif flags & SKIP_WORKTREE:
            if found is not None:
                self.differing(entry, found, self.skipped)
        elif found is None:
            (self.assumed if flags & ASSUME_UNCHANGED else self.deleted).append(path)
        else:
            self.differing(entry, found, self.assumed if flags & ASSUME_UNCHANGED else self.modified)

    def folder(self, prefix: str) -> bool:
        """Whether a directory is there and reached through no symbolic link ("" is the top)."""
        known = self.folders.get(prefix)
        if known is None:
            above = prefix[: prefix.rfind("/", 0, -1) + 1]
            known = False
            if self.folder(above):
                self.budget.spend(1, "the working tree")
                try:
                    known = posix.lstat(f"{self.root}/{prefix[:-1]}").st_mode & 0o170000 == TREE
                except OSError:
                    known = False
            self.folders[prefix] = known
        return known

    def differing(self, entry: Entry, found: posix.stat_result, into: list[str]) -> None:
        """Files an entry whose stat leaves doubt: gone, modified, or equal after all."""
        path, mode, oid, size = entry[:4]
        kind = found.st_mode & 0o170000
        if kind == TREE:
            if into is self.modified:
                self.deleted.append(path)
            return
        if kind == mode & 0o170000:
            flipped = self.settings.mode and kind == FILE and (found.st_mode ^ mode) & 0o100
            other_size = size and kind == FILE and found.st_size != size
            if not flipped and not other_size and self.bytes_in(path, kind, frozenset((oid,)), found.st_size):
                return
        into.append(path)

    def bytes_in(self, path: str, kind: int, known: frozenset[bytes], size: int) -> bool:
        """Whether the bytes on disk are one of the blobs in `known`."""
        if size > BLOB:
            return False
        self.budget.spend(1 + size // CHUNK, "the working tree")
        if kind == SYMLINK:
            try:
                content: bytes | None = posix.readlink(f"{self.root}/{path}").encode("utf-8", "surrogateescape")
            except OSError:
                content = None
        else:
            content = paths.read(f"{self.root}/{path}", BLOB)
        if content is None:
            return False
        if blob(content, self.index.width) in known:
            return True
        return (
            self.settings.crlf
            and b"\r\n" in content
            and blob(content.replace(b"\r\n", b"\n"), self.index.width) in known
        )

    def edited(self, recorded: Callable[[str], bytes | None]) -> list[str]:
        """Unmerged paths whose bytes on disk are no stage's and not what the merge wrote (`recorded`)."""
        found = []
        for path, stages in self.unmerged.items():
            try:
                stat = posix.lstat(f"{self.root}/{path}")
            except OSError:
                continue
            merged = recorded(path)
            known = frozenset(stages if merged is None else {*stages, merged})
            if not self.bytes_in(path, stat.st_mode & 0o170000, known, stat.st_size):
                found.append(path)
        return found


def blob(content: bytes, width: int) -> bytes:
    """The object name of a blob."""
    digest = sha1() if width == 20 else sha256()
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.digest()


def sha1() -> Digest:
    """The interpreter's own, as in guards.digest."""
    from _sha1 import sha1 as made  # type: ignore[import-not-found]

    return made(usedforsecurity=False)  # type: ignore[no-any-return]


def sha256() -> Digest:
    """The same."""
    from guards.digest import sha256 as made

    return made(usedforsecurity=False)  # type: ignore[no-any-return]


OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer", "cherry-pick"),
    ("BISECT_LOG", "bisect"),
)


def operation(git_dir: str) -> str:
    """What is in progress in a working tree."""
    for name, what in OPERATIONS:
        if paths.exists(f"{git_dir}/{name}"):
            return what
    return ""
