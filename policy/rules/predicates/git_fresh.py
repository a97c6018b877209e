"""Repositories and working trees that an earlier command of the same request makes: nothing is in them that could be lost."""

from __future__ import annotations

from policy.programs.paths import absolute, base
from policy.rules.predicates.git_order import joined
from policy.rules.predicates.places import at_or_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Invocation, Reading
    from policy.world import World

MAKERS = frozenset({"clone", "init", "worktree add"})
SHARED = frozenset(
    {
        "branch",
        "tag",
        "stash drop",
        "stash clear",
        "update-ref",
        "reflog expire",
        "reflog delete",
        "gc",
        "prune",
        "push",
    }
)
"""What works on names and objects, which a working tree shares with the repository that it was added to."""


def maker(invocation: Invocation, world: World, reading: Reading, earlier: Sequence[Invocation]) -> Invocation | None:
    """The command that made the place that this one works in, where it has surely succeeded and nothing was there before."""
    for at, one in enumerate(earlier):
        if one.program != "git" or one.subcommand not in MAKERS or one.place != "local" or "maybe" in one.marks:
            continue
        target = _target(one)
        if target is None or invocation.cwd is None or not at_or_below(invocation.cwd, target):
            continue
        facts = world.path(target)
        empty = facts.kind == "missing" or (facts.kind == "directory" and not world.listdir(target, 1))
        if empty and joined(one, invocation, reading) == "and" and not _moved_in(earlier[at:], target):
            return one
    return None


def _target(one: Invocation) -> str | None:
    """The directory that it makes, None when that is not known."""
    operands = one.operands
    if (
        one.unknown
        or one.has("--bare", "--mirror", "--separate-git-dir")
        or any(v.text is None or v.glob for v in operands)
    ):
        return None
    named = {"clone": 1, "init": 0, "worktree add": 0}[one.subcommand]
    if len(operands) > named:
        return absolute(operands[named].text or "", one.cwd)
    if one.subcommand == "init":
        return one.cwd
    if one.subcommand == "clone" and operands:
        name = base((operands[0].text or "").rstrip("/").removesuffix("/.git")).rpartition(":")[2]
        return absolute(name.removesuffix(".git"), one.cwd) if name.strip(".") else None
    return None


def _moved_in(later: Sequence[Invocation], target: str) -> bool:
    """Whether something that stood elsewhere was moved there since."""
    return any(
        e.kind == "move-to" and (e.path is None or at_or_below(e.path, target)) for one in later for e in one.effects
    )
