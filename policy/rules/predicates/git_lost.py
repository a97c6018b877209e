"""What a git command loses, by class. Apart from the fact that finds it out, so that whoever names a loss need not load that."""

from __future__ import annotations

from policy.record import Record

FIELDS = {"other-worktree": "other", "index": "staged"}


class Loss(Record):
    """Names by class. `unsure`: an operand is not known, so that it is the most that could be lost."""

    worktree: frozenset[str] = frozenset()
    other: frozenset[str] = frozenset()
    remote: tuple[str, ...] = ()
    stash: tuple[str, ...] = ()
    staged: frozenset[str] = frozenset()
    commits: int = 0
    reflog: int = 0
    unsure: bool = False

    def of(self, name: str) -> tuple[str, ...]:
        """The names of one class; commits have none of their own."""
        if name == "commits":
            return ("",) * self.commits
        if name == "reflog":
            return ("",) * self.reflog
        return tuple(sorted(getattr(self, FIELDS.get(name, name))))


NOTHING = Loss()
