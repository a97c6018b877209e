"""Commits and what reaches them."""

from __future__ import annotations

from _heapq import heappop, heappush

from policy.record import Record
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget
    from guards.world.objects import Objects


class Commit(Record):
    """`tree` and `parents` are object names, `date` the committer's seconds."""

    tree: str
    parents: tuple[str, ...] = ()
    date: int = 0


class Commits:
    """Commits of one repository, shallow boundaries respected."""

    def __init__(self, objects: Objects, shallow: frozenset[str], budget: Budget) -> None:
        self.objects = objects
        self.shallow = shallow
        self.budget = budget
        self.cache: dict[str, Commit] = {}

    def get(self, oid: str) -> Commit:
        """Raises Unanswered when `oid` is no commit or cannot be read."""
        found = self.cache.get(oid)
        if found is None:
            kind, content = self.objects.get(bytes.fromhex(oid))
            if kind != "commit":
                raise Unanswered(f"{oid} is no commit")
            found = self.cache[oid] = self.parsed(oid, content)
        return found

    def parsed(self, oid: str, content: bytes) -> Commit:
        tree, parents, date = "", [], 0
        for line in content.split(b"\n\n", 1)[0].split(b"\n"):
            name, _, rest = line.partition(b" ")
            if name == b"tree" and not tree:
                tree = rest.decode("ascii", "replace")
            elif name == b"parent":
                parents.append(rest.decode("ascii", "replace"))
            elif name == b"committer":
                stamp = rest.rsplit(b" ", 2)
                date = int(stamp[1]) if len(stamp) == 3 and stamp[1].isdigit() else 0
        return Commit(tree, () if oid in self.shallow else tuple(parents), date)

    def peel(self, oid: str) -> str:
        """The commit that a tag stands for; a commit itself."""
        for _ in range(10):
            if oid in self.cache:
                return oid
            kind, content = self.objects.get(bytes.fromhex(oid))
            if kind != "tag":
                self.get(oid)
                return oid
            oid = content.split(b"\n", 1)[0].removeprefix(b"object ").decode("ascii", "replace")
        raise Unanswered("a tag of a tag of a tag")

    def is_commit(self, oid: str) -> bool:
        try:
            self.peel(oid)
        except Unanswered:
            return False
        return True

    def only(self, removed: tuple[str, ...], kept: frozenset[str]) -> int:
        """How many commits are reachable from `removed` and from none of `kept`.

        Newest first, both colours at once, until the kept side is older than all that was counted (as `git rev-list` does).
        """
        removed = tuple(oid for oid in removed if oid not in kept)
        if not removed:
            return 0
        saved: set[str] = set()
        counted: set[str] = set()
        queue: list[tuple[int, str]] = []
        open_ones: set[str] = set()
        for oid in kept:
            if self.is_commit(oid):
                commit = self.peel(oid)
                saved.add(commit)
                heappush(queue, (-self.get(commit).date, commit))
        for commit in {self.peel(oid) for oid in removed} - saved:
            counted.add(commit)
            open_ones.add(commit)
            heappush(queue, (-self.get(commit).date, commit))
        oldest = min((self.get(commit).date for commit in counted), default=0)
        while queue and (open_ones or -queue[0][0] >= oldest):
            _, oid = heappop(queue)
            self.budget.spend(1, "the commit graph")
            safe = oid in saved
            open_ones.discard(oid)
            for parent in self.get(oid).parents:
                if parent in saved or (parent in counted and not safe):
                    continue
                (saved if safe else counted).add(parent)
                (open_ones.discard if safe else open_ones.add)(parent)
                date = self.get(parent).date
                oldest = oldest if safe else min(oldest, date)
                heappush(queue, (-date, parent))
        return len(counted - self.spread(counted & saved, counted))

    def spread(self, found: set[str], counted: set[str]) -> set[str]:
        """`found` and all their counted ancestors: those that were coloured after they had been counted."""
        todo = list(found)
        while todo:
            for parent in self.get(todo.pop()).parents:
                if parent in counted and parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return found
