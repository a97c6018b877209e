"""One repository, opened: its configuration, index, refs and objects, each read when first asked for."""

from __future__ import annotations

from guards.world import paths
from guards.world.refs import Refs
from policy.world import Repository, Status, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.world.budget import Budget
    from guards.world.commits import Commits
    from guards.world.ignore import Ignore
    from guards.world.index import Index
    from guards.world.objects import Objects
    from guards.world.revisions import Revisions
    from guards.world.status import Disk
    from guards.world.trees import Comparison, Trees


class Opened:
    """`config` holds every key with its values; `home` is where `~` in it points to."""

    def __init__(self, place: Repository, config: Mapping[str, list[str]], home: str, budget: Budget) -> None:
        self.place = place
        self.config = dict(config)
        self.home = home
        self.budget = budget
        self.width = 32 if self.last("extensions.objectformat", "sha1").lower() == "sha256" else 20
        if self.last("extensions.refstorage", "files").lower() not in ("files", ""):
            raise Unanswered("refs are not kept as files, and only git reads them otherwise")
        self.refs = Refs(place.git_dir, place.common_dir, budget)
        self.known: dict[str, object] = {}

    def last(self, key: str, default: str = "") -> str:
        return self.config.get(key, [default])[-1]

    @property
    def objects(self) -> Objects:
        if "objects" not in self.known:
            from guards.world.objects import Objects

            self.known["objects"] = Objects(f"{self.place.common_dir}/objects", self.width, self.budget)
        return self.known["objects"]  # type: ignore[return-value]

    @property
    def commits(self) -> Commits:
        if "commits" not in self.known:
            from guards.world.commits import Commits

            lines = paths.text(paths.read(f"{self.place.common_dir}/shallow", 1 << 20) or b"").split()
            self.known["commits"] = Commits(self.objects, frozenset(lines), self.budget)
        return self.known["commits"]  # type: ignore[return-value]

    @property
    def trees(self) -> Trees:
        if "trees" not in self.known:
            from guards.world.trees import Trees

            self.known["trees"] = Trees(self.objects, self.budget)
        return self.known["trees"]  # type: ignore[return-value]

    @property
    def revisions(self) -> Revisions:
        if "revisions" not in self.known:
            from guards.world.revisions import Revisions

            self.known["revisions"] = Revisions(self.refs, self.objects, self.commits, self.config)
        return self.known["revisions"]  # type: ignore[return-value]

    @property
    def index(self) -> Index:
        if "index" not in self.known:
            from guards.world import index as index_file

            at = self.place.index_file or f"{self.place.git_dir}/index"
            self.known["index"] = index_file.load(at, self.width, self.budget)
        return self.known["index"]  # type: ignore[return-value]

    @property
    def ignore(self) -> Ignore:
        if "ignore" not in self.known:
            from guards.world.ignore import Ignore

            outer = self.last("core.excludesfile")
            if outer.startswith("~/"):
                outer = paths.join(self.home, outer[2:])
            outer = outer or f"{self.home}/.config/git/ignore"
            self.known["ignore"] = Ignore(
                self.place.root,
                [paths.join(self.place.root, outer), f"{self.place.common_dir}/info/exclude"],
                self.budget,
            )
        return self.known["ignore"]  # type: ignore[return-value]

    def tree_of(self, revision: str) -> bytes | None:
        """The tree of a commit or tag; None for an unknown revision."""
        oid = self.revisions.resolve(revision)
        if oid is None:
            return None
        kind, _ = self.objects.get(bytes.fromhex(oid))
        return bytes.fromhex(oid if kind == "tree" else self.commits.get(self.commits.peel(oid)).tree)

    def against(self, revision: str) -> Comparison:
        """The index against a revision's tree; against nothing for a HEAD without commits."""
        from guards.world.trees import Comparison

        tree = self.tree_of(revision)
        if tree is None and revision != "HEAD":
            raise Unanswered(f"the revision {revision} is not known without git")
        if tree is not None and self.index.tree is not None and self.index.tree[:2] == (len(self.index.entries), tree):
            return Comparison(self.trees, self.index)
        return Comparison(self.trees, self.index).run(tree)

    def head_tree(self) -> bytes | None:
        """The tree of HEAD's commit, found without the modules that know revisions and graphs; None before the first commit."""
        oid = self.refs.read("HEAD")
        if oid is None:
            return None
        kind, content = self.objects.get(bytes.fromhex(oid))
        name, _, tree = content.split(b"\n", 1)[0].partition(b" ")
        if kind != "commit" or name != b"tree":
            raise Unanswered("HEAD is no commit")
        return bytes.fromhex(tree.decode("ascii", "replace"))

    def staged(self, intent: list[str]) -> set[str]:
        """Paths whose index entry is not HEAD's. Where the cache tree says that all of it is, no tree is read."""
        head = self.head_tree()
        if head is not None and self.index.tree is not None and self.index.tree[:2] == (len(self.index.entries), head):
            return set()
        from guards.world.trees import Comparison

        compared = Comparison(self.trees, self.index).run(head)
        return {*compared.added, *compared.changed} - set(intent)

    def disk(self) -> Disk:
        if "disk" not in self.known:
            from guards.world.status import Disk, Settings

            self.known["disk"] = Disk(self.place.root, self.index, Settings(self.config), self.budget).run()
        return self.known["disk"]  # type: ignore[return-value]

    def merged(self, path: str) -> bytes | None:
        """The blob that the running merge wrote for a conflicted path, markers and all."""
        content = paths.read(f"{self.place.git_dir}/AUTO_MERGE", 200)
        if content is None:
            return None
        try:
            found = self.trees.lookup(bytes.fromhex(paths.text(content).strip()), path)
        except (Unanswered, ValueError):
            return None
        return found[1] if found is not None else None

    def status(self, *, untracked: bool, ignored: bool) -> Status:
        if not self.place.root:
            return Status()
        key = f"status {untracked} {ignored}"
        if key not in self.known:
            self.known[key] = self._status(untracked=untracked, ignored=ignored)
        return self.known[key]  # type: ignore[return-value]

    def _status(self, *, untracked: bool, ignored: bool) -> Status:
        from guards.world.status import operation

        disk = self.disk()
        if "staged" not in self.known:
            self.known["staged"] = self.staged(disk.intent)
            self.known["edited"] = disk.edited(self.merged) if disk.unmerged else []
        staged: set[str] = self.known["staged"]  # type: ignore[assignment]
        edited: list[str] = self.known["edited"]  # type: ignore[assignment]
        modified = {*disk.modified, *edited}
        scan = self.scan(ignored=ignored) if untracked or ignored else None
        return Status(
            modified=tuple(sorted(modified)),
            staged=tuple(sorted(staged)),
            staged_and_modified=tuple(sorted(staged & modified)),
            untracked=tuple(scan.untracked) if scan is not None and untracked else (),
            ignored=tuple(scan.ignored) if scan is not None and ignored else (),
            unmerged=tuple(sorted(disk.unmerged)),
            deleted=tuple(disk.deleted),
            intent_to_add=tuple(disk.intent),
            assumed_unchanged=tuple(disk.assumed),
            skip_worktree=tuple(disk.skipped),
            operation=operation(self.place.git_dir),
            more=scan is not None and scan.more,
        )

    def scan(self, *, ignored: bool) -> Scan:
        key = f"scan {ignored}"
        if key not in self.known:
            from guards.world.untracked import Scan

            tracked = [entry[0] for entry in self.index.entries]
            self.known[key] = Scan(self.place.root, tracked, self.ignore, self.budget).run(ignored=ignored)
        return self.known[key]  # type: ignore[return-value]

    def tracked(self, revision: str) -> frozenset[str]:
        if not revision:
            if "tracked" not in self.known:
                self.known["tracked"] = frozenset(path for path in self.index_paths() if not path.endswith("/"))
            return self.known["tracked"]  # type: ignore[return-value]
        tree = self.tree_of(revision)
        if tree is None:
            raise Unanswered(f"the revision {revision} is not known without git")
        return frozenset(self.trees.flat(tree))

    def index_paths(self) -> list[str]:
        """Paths in the index, sparse directories opened."""
        found = []
        for entry in self.index.entries:
            if entry[0].endswith("/"):
                found += [entry[0] + path for path in self.trees.flat(entry[2])]
            else:
                found.append(entry[0])
        return found


if TYPE_CHECKING:
    from guards.world.untracked import Scan
