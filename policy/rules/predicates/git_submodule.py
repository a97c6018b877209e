"""Edits in submodules, which commands of the superproject destroy when they go into them."""

from __future__ import annotations

from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_state import Case
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 262_144


def folders(case: Case) -> list[str]:
    """Paths of the submodules that .gitmodules names."""
    root = case.place().repository.root
    text = case.world.read_text(f"{root}/.gitmodules", LIMIT) or ""
    found = []
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip().lower() == "path":
            found.append(value.strip().strip('"').strip("/"))
    return found


def edits(case: Case, *, untracked: bool) -> frozenset[str]:
    """What is uncommitted in submodules, paths relative to the superproject's top."""
    at = case.place()
    found: set[str] = set()
    for folder in folders(case):
        root = at.absolute(folder)
        there = case.world.repository(root, {"GIT_DIR": "", "GIT_WORK_TREE": "", "GIT_INDEX_FILE": ""})
        if there.root != case.world.path(root).real:
            continue
        try:
            status = case.world.status(there, untracked=untracked)
        except Unanswered:
            found.add(folder)
            continue
        names = {*status.modified, *status.staged, *status.intent_to_add, *(status.untracked if untracked else ())}
        found |= {f"{folder}/{name}" for name in names}
    return frozenset(found)


def each(case: Case, find: Callable[[Case], Loss]) -> Loss:
    """What a command loses that is run in every submodule."""
    at = case.place()
    worktree: set[str] = set()
    staged: set[str] = set()
    for folder in folders(case):
        inner = case.invocation.replace(cwd=at.absolute(folder))
        found = find(Case(inner, case.world, case.question.replace(position=0), case.reading))
        worktree |= {f"{folder}/{name}" for name in found.worktree}
        staged |= {f"{folder}/{name}" for name in found.staged}
    return Loss(worktree=frozenset(worktree), staged=frozenset(staged))


def deinit(case: Case) -> Loss:
    given = case.invocation
    if not given.has("--force"):
        return NOTHING
    at = case.place()
    wanted = Spec(given.operands, at.prefix, at.repository.root)
    return Loss(worktree=frozenset(wanted.of(edits(case, untracked=True))), unsure=not wanted.sure)


def update(case: Case) -> Loss:
    if not case.invocation.has("--force"):
        return NOTHING
    at = case.place()
    wanted = Spec(case.invocation.operands, at.prefix, at.repository.root)
    return Loss(worktree=frozenset(wanted.of(edits(case, untracked=False))))
