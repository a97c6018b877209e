"""What `git reset` and `git read-tree` lose."""

from __future__ import annotations

from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_place import is_set, parts
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case, State

MODES = ("--soft", "--mixed", "--hard", "--merge", "--keep")


def mode(case: Case) -> str:
    """The last mode that is given and not undone: `--hard --no-hard` is a mixed reset."""
    for option in reversed(case.invocation.options):
        if option.name in MODES:
            return "--mixed" if option.negated else option.name
    return "--mixed"


def reset(case: Case) -> Loss:
    how = mode(case)
    before, behind = parts(case.invocation)
    if case.invocation.has("--patch") or (how != "--mixed" and (behind or len(before) > 1)):
        return NOTHING
    target = before[0] if before else None
    here = case.state()
    if here.dead:
        return NOTHING
    commit = target.text if target is not None else "HEAD"
    if how == "--mixed" and (behind or len(before) > 1 or (target is not None and not is_commit(case, commit))):
        operands = (*before[is_commit(case, commit) :], *(behind or ()))
        wanted = Spec(operands, here.place.prefix, here.repository.root)
        return Loss(staged=frozenset(wanted.of(older_versions(here))), unsure=not wanted.sure)
    moved = left_behind(case, commit) if commit not in ("HEAD", "@") else 0
    found = BY_MODE[how](case, here, commit)
    return found.replace(reflog=moved, unsure=found.unsure or (target is not None and target.text is None))


def is_commit(case: Case, name: str | None) -> bool:
    """Whether the first operand is a commit: anything that is no tracked path when that cannot be told."""
    if name is None:
        return True
    repository = case.place().repository
    if case.world.resolve(repository, name) is not None or name in ("HEAD", "@"):
        return True
    known = Spec((), "", "")
    known.wanted = []
    known.add(name, case.place().prefix, repository.root)
    return not any(path in known for path in case.world.tracked(repository))


def left_behind(case: Case, commit: str | None) -> int:
    """Commits that HEAD's branch holds now, and nothing after it has moved."""
    repository = case.place().repository
    try:
        head = case.world.resolve(repository, "HEAD")
        target = case.world.resolve(repository, f"{commit}^{{commit}}") if commit else None
        branch = case.world.branch(repository)
        return case.only_here((head,), frozenset((f"refs/heads/{branch}",)), (target,)) if target else 0
    except Unanswered:
        return 0


def older_versions(here: State) -> set[str]:
    """Staged bytes that are in no file either."""
    return here.both | (here.staged & here.deleted)


def soft(case: Case, here: State, commit: str | None) -> Loss:
    del case, here, commit
    return NOTHING


def mixed(case: Case, here: State, commit: str | None) -> Loss:
    del case, commit
    return Loss(staged=frozenset(older_versions(here)))


def without_index(case: Case) -> Loss:
    """The index file itself deleted."""
    return mixed(case, case.state(), None)


def keep(case: Case, here: State, commit: str | None) -> Loss:
    del case, commit
    return Loss(staged=frozenset(older_versions(here)))


def merge(case: Case, here: State, commit: str | None) -> Loss:
    """Takes back what is staged; keeps what is only edited; refuses over a file that is both."""
    del case, commit
    return NOTHING if here.both else Loss(worktree=frozenset(here.edited), staged=frozenset(here.staged))


def hard(case: Case, here: State, commit: str | None) -> Loss:
    return replaced(case, here, commit)


def replaced(case: Case, here: State, commit: str | None) -> Loss:
    """The whole working tree and index made like a commit (reset --hard, checkout -f, read-tree -u --reset)."""
    worktree = here.modified | here.intent | here.assumed | here.shadowed()
    index = here.staged - here.modified
    if commit not in ("HEAD", "@", ""):
        worktree |= overwritten(case, commit)
    if submodules_too(case):
        from policy.rules.predicates.git_submodule import edits

        worktree |= edits(case, untracked=False)
    return Loss(worktree=frozenset(worktree), staged=frozenset(index))


def submodules_too(case: Case) -> bool:
    option = case.invocation.option("--recurse-submodules")
    if option is not None:
        return not option.negated
    return is_set(case.invocation, case.world, case.place().repository, "submodule.recurse")


def overwritten(case: Case, commit: str | None) -> set[str]:
    """Untracked and ignored files that stand where the commit tracks one; none when it is not known which commit it is."""
    at = case.place()
    if commit is None or case.world.resolve(at.repository, commit) is None:
        return set()
    arriving = case.world.against(at.repository, commit).gone
    found = set()
    for path in arriving[:2000]:
        facts = case.world.path(at.absolute(path))
        if facts.kind != "missing":
            found.add(path)
    return found


BY_MODE = {"--soft": soft, "--mixed": mixed, "--keep": keep, "--merge": merge, "--hard": hard}


def read_tree(case: Case) -> Loss:
    """`-u --reset` is a hard reset; without -u only the index is replaced."""
    given = case.invocation
    here = case.state()
    if here.dead:
        return NOTHING
    commit = given.operands[-1].text if given.operands else None
    if given.has("-u") and given.has("--reset"):
        return replaced(case, here, commit)
    if given.has("-u") and given.has("-m"):
        index = here.staged if commit != "HEAD" and len(given.operands) < 2 else set()
        return Loss(
            worktree=frozenset(overwritten(case, commit) & case.state(ignored=True).ignored), staged=frozenset(index)
        )
    if given.has("-m"):
        return Loss(staged=frozenset(here.staged & here.deleted))
    return Loss(staged=frozenset(older_versions(here)))
