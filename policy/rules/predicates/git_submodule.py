"""Edits in submodules, which commands of the superproject destroy when they go into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.rules.predicates.git_loss import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.world import Unanswered

if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case

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
