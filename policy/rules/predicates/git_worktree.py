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


def remove(case: Case) -> Loss:
    """Without --force git refuses over modified and untracked files, but takes ignored ones along."""
    given = case.invocation
    times = forced(given)
    if not given.operands:
        return NOTHING
    name = given.operands[0].text
    at = case.place()
    if name is None and not times:
        return NOTHING  # git itself refuses where there is something to lose, but for ignored files
    if name is None:
        raise Unanswered("which working tree it is is not known before it runs")
    root = case.world.path(name if name.startswith("/") else f"{at.cwd}/{name}").real
    ends = [tree for tree in at.repository.worktrees if tree.endswith("/" + name.strip("/"))]
    if root not in at.repository.worktrees and len(ends) == 1:
        root = ends[0]
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
