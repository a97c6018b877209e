"""What `git worktree remove` loses: the other working tree's files, and commits that only its HEAD names."""

from __future__ import annotations

from policy.rules.predicates.git_clean import cache, forced
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case

OWN = {"GIT_DIR": "", "GIT_WORK_TREE": "", "GIT_INDEX_FILE": ""}
"""A working tree seen from itself, whatever the command's environment says."""

MOST = 16
"""How many working trees are looked at where it is not known which one is meant."""


def remove(case: Case) -> Loss:
    """What the working tree that is named holds; of one that only the shell knows, nothing where no other tree of the repository loses anything."""
    given = case.invocation
    times = forced(given)
    if not given.operands:
        return NOTHING
    name = given.operands[0].text
    at = case.place()
    if name is None and not times and all(_of(case, tree, times) == NOTHING for tree in _others(case)):
        return NOTHING
    if name is None:
        raise Unanswered("which working tree it is is not known before it runs")
    root = case.world.path(name if name.startswith("/") else f"{at.cwd}/{name}").real
    ends = [tree for tree in at.repository.worktrees if tree.endswith("/" + name.strip("/"))]
    if root not in at.repository.worktrees and len(ends) == 1:
        root = ends[0]
    return _of(case, root, times)


def _others(case: Case) -> list[str]:
    """The working trees that git would remove: linked ones, never the main one. Raises Unanswered beyond MOST of them."""
    at, world = case.place().repository, case.world
    trees = [tree for tree in at.worktrees if tree != at.root and world.path(f"{tree}/.git").kind != "directory"]
    if len(trees) > MOST:
        raise Unanswered(f"which of {len(trees)} working trees it is is not known before it runs")
    return trees


def _of(case: Case, root: str, times: int) -> Loss:
    """Of one tree. Without --force git refuses over modified and untracked files, but takes ignored ones along."""
    there = case.world.repository(root, OWN)
    if there.root != root:
        return NOTHING
    status = case.world.status(there, untracked=True, ignored=True)
    dirty = {*status.modified, *status.staged, *status.untracked, *status.intent_to_add, *status.assumed_unchanged}
    if times < 2 and case.world.path(f"{there.git_dir}/locked").kind == "file":
        return NOTHING
    if dirty and not times:
        return NOTHING
    ignored = {path for path in status.ignored if not cache(path)}
    return Loss(other=frozenset(dirty | ignored), commits=own_commits(case, root))


def own_commits(case: Case, root: str) -> int:
    there = case.world.repository(root, OWN)
    if case.world.branch(there) is not None:
        return 0
    here = case.place().repository
    return case.only_here((case.world.resolve(there, "HEAD"),), frozenset(), (case.world.resolve(here, "HEAD"),))
