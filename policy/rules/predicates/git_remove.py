"""What `git rm` and `git mv` lose."""

from __future__ import annotations

from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_reset import older_versions
from policy.rules.predicates.git_state import Case, spec


def remove(case: Case) -> Loss:
    """Without --force git refuses over what is modified or staged, but not over a conflict, nor over flagged or lost files."""
    given = case.invocation
    here = case.state()
    if here.dead:
        return NOTHING
    wanted = spec(here, given)
    forced = given.has("--force")
    lonely = here.staged & here.deleted
    if given.has("--cached"):
        refused = not forced and bool(wanted.of(here.both))
        index = older_versions(here) if forced else lonely
        return NOTHING if refused else Loss(staged=frozenset(wanted.of(index)), unsure=not wanted.sure)
    if not forced:
        if wanted.of((here.modified | here.staged) - lonely - here.unmerged):
            return NOTHING
        return Loss(worktree=frozenset(wanted.of(here.assumed | here.edited)), staged=frozenset(wanted.of(lonely)))
    worktree = wanted.of(here.modified | here.assumed | here.intent)
    worktree |= {
        path for path in wanted.of(here.beyond_link()) if case.world.path(here.place.absolute(path)).kind != "missing"
    }
    if not wanted.whole() or given.has("-r"):
        from policy.rules.predicates.git_submodule import edits

        worktree |= wanted.of(edits(case, untracked=True))
    return Loss(
        worktree=frozenset(worktree), staged=frozenset(wanted.of(here.staged - here.modified)), unsure=not wanted.sure
    )


def move(case: Case) -> Loss:
    """With --force the target is overwritten, known to git or not."""
    given = case.invocation
    forced = given.has("--force")
    here = case.state(untracked=forced, ignored=forced)
    if here.dead or len(given.operands) < 2:
        return NOTHING
    target = given.operands[-1]
    if target.text is None:
        return Loss(worktree=frozenset(("the target",)), unsure=True) if forced else NOTHING
    wanted = Spec((target,), here.place.prefix, here.repository.root)
    at = case.world.path(target.text if target.text.startswith("/") else f"{here.place.cwd}/{target.text}")
    if at.kind == "directory":
        return NOTHING
    if not forced:
        known = at.kind == "missing" and wanted.of(case.world.tracked(here.repository))
        return Loss(staged=frozenset(wanted.of(here.staged & here.deleted))) if known else NOTHING
    loose = here.modified | here.assumed | here.skipped | here.intent | here.untracked | here.ignored
    worktree = wanted.of(loose)
    return Loss(worktree=frozenset(worktree), staged=frozenset(wanted.of(here.staged - here.modified)))
