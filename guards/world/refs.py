"""Names of commits: HEAD, loose and packed refs, reflogs. A reftable store is not read: its questions stay unanswered."""

from __future__ import annotations

import posix

from guards.world import paths
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget

LIMIT = 64 << 20
DEPTH = 5
OWN = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
"""Refs that each working tree has for itself."""


class Refs:
    """The refs that a working tree sees: `git_dir` its own folder, `common` the shared one."""

    def __init__(self, git_dir: str, common: str, budget: Budget) -> None:
        self.git_dir = git_dir
        self.common = common
        self.budget = budget
        self.known: dict[str, str] | None = None
        self.peeled: dict[str, str] = {}
        self.from_packed: dict[str, str] | None = None

    def packed(self) -> dict[str, str]:
        if self.from_packed is None:
            if paths.exists(f"{self.common}/reftable"):
                raise Unanswered("refs are kept as a reftable, which only git reads")
            self.from_packed = {}
            content = paths.read(f"{self.common}/packed-refs", LIMIT) or b""
            self.budget.spend(len(content) // 500, "packed refs")
            last = ""
            for line in paths.text(content).splitlines():
                if line.startswith("^"):
                    self.peeled[last] = line[1:]
                elif line and not line.startswith("#"):
                    oid, _, last = line.partition(" ")
                    self.from_packed[last] = oid
        return self.from_packed

    def folder(self, name: str) -> str:
        own = not name.startswith("refs/") or name.startswith(OWN)
        return self.git_dir if own else self.common

    def raw(self, name: str) -> str | None:
        """What a ref's file or the packed list says: an object name, `ref: …`, or None."""
        if name.startswith("/") or "//" in name or ".." in name or "\0" in name:
            return None
        packed = self.packed()
        content = paths.read(f"{self.folder(name)}/{name}", 4096)
        self.budget.spend(1, "git refs")
        if content is None:
            return packed.get(name)
        return paths.text(content).strip()

    def read(self, name: str) -> str | None:
        """The object name that a full ref name stands for, symbolic refs followed; None when there is none."""
        for _ in range(DEPTH):
            found = self.raw(name)
            if not found:
                return None
            if not found.startswith("ref:"):
                return found.split()[0] if is_name(found.split()[0]) else None
            name = found[4:].strip()
        return None

    def symbolic(self, name: str) -> str | None:
        """The ref that a symbolic ref points to, None for an ordinary one."""
        if name == "HEAD":
            try:
                linked = posix.readlink(f"{self.git_dir}/HEAD")
            except (OSError, ValueError):
                linked = ""
            if linked.startswith("refs/"):
                return linked
        found = self.raw(name)
        return found[4:].strip() if found is not None and found.startswith("ref:") else None

    def all(self) -> dict[str, str]:
        """Every full ref name below refs/ to its object name; broken and dangling ones left out."""
        if self.known is None:
            found = dict(self.packed())
            self.collect(found, self.common, "refs")
            if self.git_dir != self.common:
                self.collect(found, self.git_dir, "refs")
            self.known = found
        return self.known

    def collect(self, into: dict[str, str], top: str, folder: str) -> None:
        try:
            entries = list(posix.scandir(f"{top}/{folder}"))
        except OSError:
            return
        self.budget.spend(len(entries), "git refs")
        for entry in entries:
            name = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                self.collect(into, top, name)
            elif not entry.name.endswith(".lock"):
                oid = self.read(name)
                if oid is None:
                    into.pop(name, None)
                else:
                    into[name] = oid

    def log(self, name: str) -> list[str]:
        """The reflog's lines, oldest first; [] when there is none."""
        content = paths.read(f"{self.folder(name)}/logs/{name}", LIMIT) or b""
        self.budget.spend(len(content) // 1000, "the reflog")
        return paths.text(content).splitlines()


def is_name(text: str) -> bool:
    """Whether it is a whole object name."""
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")
