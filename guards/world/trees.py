"""Trees of commits, flat or compared with an index by way of its cache tree."""

from __future__ import annotations

from guards.world import index as index_file
from guards.world import paths
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget
    from guards.world.index import Entry, Index, Node
    from guards.world.objects import Objects

    Item = tuple[int, bytes]

DIRECTORY = 0o40000


class Trees:
    """Trees of one repository."""

    def __init__(self, objects: Objects, budget: Budget) -> None:
        self.objects = objects
        self.budget = budget
        self.flat_ones: dict[bytes, dict[str, Item]] = {}

    def items(self, oid: bytes) -> list[tuple[str, int, bytes]]:
        """(name, mode, object name) of one tree, in its order."""
        kind, content = self.objects.get(oid)
        if kind != "tree":
            raise Unanswered(f"{oid.hex()} is no tree")
        found = []
        pos, width = 0, self.objects.width
        while pos < len(content):
            blank = content.index(b" ", pos)
            end = content.index(0, blank)
            found.append(
                (paths.text(content[blank + 1 : end]), int(content[pos:blank], 8), content[end + 1 : end + 1 + width])
            )
            pos = end + 1 + width
        self.budget.spend(len(found) // 4, "git trees")
        return found

    def flat(self, oid: bytes) -> dict[str, Item]:
        """Every path below a tree to (mode, object name)."""
        if oid not in self.flat_ones:
            found: dict[str, Item] = {}
            todo = [("", oid)]
            while todo:
                prefix, tree = todo.pop()
                for name, mode, item in self.items(tree):
                    if mode == DIRECTORY:
                        todo.append((f"{prefix}{name}/", item))
                    else:
                        found[prefix + name] = (mode, item)
            self.flat_ones[oid] = found
        return self.flat_ones[oid]

    def lookup(self, tree: bytes, path: str) -> Item | None:
        """(mode, object name) at a path, a directory's too."""
        found: Item = (DIRECTORY, tree)
        for part in path.split("/"):
            if found[0] != DIRECTORY:
                return None
            below = {name: (mode, oid) for name, mode, oid in self.items(found[1])}
            if part not in below:
                return None
            found = below[part]
        return found


class Comparison:
    """What an index holds that a commit's tree does not, and the other way round.

    Directories that the cache tree vouches for, and that are the same in the commit, are passed over whole.
    """

    def __init__(self, trees: Trees, index: Index) -> None:
        self.trees = trees
        self.entries = index.entries
        self.tree = index.tree
        self.pos = 0
        self.added: list[str] = []
        self.changed: list[str] = []
        self.gone: list[str] = []

    def run(self, tree: bytes | None) -> Comparison:
        """`added` and `changed`: in the index, not so in the tree; `gone`: only in the tree. None is the empty tree."""
        self.below("", tree, self.tree)
        return self

    def below(self, prefix: str, tree: bytes | None, node: Node | None) -> None:
        if node is not None and node[0] >= 0 and node[1] == tree and tree is not None:
            self.pos += node[0]
            return
        listed = {name: (mode, oid) for name, mode, oid in self.trees.items(tree)} if tree is not None else {}
        seen: set[str] = set()
        entries, start, total = self.entries, len(prefix), len(self.entries)
        while self.pos < total:
            entry = entries[self.pos]
            path = entry[0]
            if not path.startswith(prefix):
                break
            name, slash, _ = path[start:].partition("/")
            seen.add(name)
            found = listed.get(name)
            if slash and path != f"{prefix}{name}/":
                subtree = found[1] if found is not None and found[0] == DIRECTORY else None
                if found is not None and subtree is None:
                    self.gone.append(prefix + name)
                self.below(f"{prefix}{name}/", subtree, node[2].get(name) if node is not None else None)
                continue
            self.pos += 1
            self.entry(entry, path, found)
        for name, (mode, oid) in listed.items():
            if name not in seen:
                self.missing(prefix + name, mode, oid)

    def entry(self, entry: Entry, path: str, found: Item | None) -> None:
        _, mode, oid, *_, flags = entry
        if flags & index_file.STAGE:
            return
        if flags & index_file.INTENT_TO_ADD:
            if found is not None:
                self.changed.append(path)
            return
        if found is None:
            self.added.append(path)
        elif found[0] == DIRECTORY and mode != DIRECTORY:
            self.added.append(path)
            self.missing(path, *found)
        elif (mode, oid) != found:
            self.changed.append(path)

    def missing(self, path: str, mode: int, oid: bytes) -> None:
        if mode == DIRECTORY:
            self.gone.extend(f"{path}/{name}" for name in self.trees.flat(oid))
        else:
            self.gone.append(path)
