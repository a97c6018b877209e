"""What `git checkout` and `git switch` lose: the branch forms here, the path forms in git_restore."""

from __future__ import annotations

from policy.rules.predicates import git_restore
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_place import parts
from policy.rules.predicates.git_reset import overwritten, replaced
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Value
    from policy.rules.predicates.git_state import Case, State


def checkout(case: Case) -> Loss:
    given = case.invocation
    if given.has("--patch"):
        return NOTHING
    before, behind = parts(given)
    if given.has("-b", "-B", "--orphan", "--detach", "--track"):
        start = None if given.has("--orphan") else "HEAD"
        return branch(case, before[0].text if before else start, forced=given.has("--force"))
    if behind is None and given.has("--pathspec-from-file"):
        behind = git_restore.listed(case)
        if not behind:
            return NOTHING
    if behind is None and len(before) == 1 and before[0].text is None and not given.has("--force"):
        return one_word(case, before)
    tree, paths = meaning(case, [value.text for value in before], behind is not None)
    if not paths and not behind:
        return branch(case, tree, forced=given.has("--force"))
    operands = (*before[len(before) - paths :], *(behind or ()))
    return git_restore.back(case, operands, source=tree, index=True)


def one_word(case: Case, before: tuple[Value, ...]) -> Loss:
    """A word that only a program knows: files, unless the request shows that it names a commit."""
    from policy.rules.predicates.git_ref_words import names_commit

    if names_commit(before[0].raw, case.reading):
        return Loss(reflog=abandoned(case, None))
    return git_restore.back(case, before, source="", index=False)


def meaning(case: Case, words: list[str | None], divided: bool) -> tuple[str | None, int]:
    """(what is checked out from, how many of the words before `--` are paths): "" for the index, a name for a commit.

    A name that is a branch and a file is the branch, as git has it.
    """
    if not words:
        return ("" if divided else "HEAD"), 0
    first = words[0]
    if divided:
        return first, 0
    repository = case.place().repository
    if first is not None and (first == "-" or case.world.resolve(repository, first) is not None):
        return first, len(words) - 1
    if first is None and len(words) == 1:
        return None, 0
    if first is not None and len(words) == 1 and elsewhere(case, first):
        return first, 0
    return "", len(words)


def elsewhere(case: Case, name: str) -> bool:
    """Whether a name that is no ref here is a branch of some remote, which checkout then creates."""
    refs = case.world.refs(case.place().repository, "refs/remotes/")
    return any(full.split("/", 3)[3:] == [name] for full in refs)


def switch(case: Case) -> Loss:
    given = case.invocation
    before, _ = parts(given)
    target = before[0].text if before else "HEAD"
    if given.has("--orphan"):
        return Loss(reflog=abandoned(case, None))
    return branch(case, target, forced=given.has("--force", "--discard-changes"))


def branch(case: Case, target: str | None, *, forced: bool) -> Loss:
    """Another branch or commit in the whole working tree."""
    here = case.state()
    given = case.invocation
    if here.dead:
        return NOTHING
    target = "@{-1}" if target == "-" else target
    known = target is None or case.world.resolve(case.place().repository, target) is not None
    lost = abandoned(case, target) if not given.has("-b", "--create") or target not in ("HEAD", None) else 0
    moved = reset_branch(case, target)
    unsure = target is None and not given.has("--orphan")
    if not forced:
        over = hidden(case, target) if known and target not in ("HEAD", None) else frozenset()
        if given.has("--merge") and target not in ("HEAD", None):
            over |= in_place(case, here, target if known else None)
        return Loss(worktree=over, reflog=lost + moved, unsure=unsure)
    if given.subcommand == "switch" and here.operation in REFUSED:
        return NOTHING
    found = replaced(case, here, target if known else "HEAD")
    if given.has("--discard-changes") and not given.has("--force") and target not in ("HEAD", None) and known:
        found = found.replace(worktree=found.worktree - overwritten(case, target) | hidden(case, target))
    return found.replace(reflog=lost + moved, unsure=unsure)


REFUSED = ("merge", "rebase", "cherry-pick", "am", "revert")


def in_place(case: Case, here: State, target: str | None) -> frozenset[str]:
    """Directories of new files in the place of a tracked file that the other side changes: --merge of git 2.55 replaces them (2.39 refuses)."""
    shadowed = here.shadowed()
    if not shadowed or target is None:
        return frozenset(shadowed)
    other = case.world.against(case.place().repository, target)
    return frozenset(shadowed & {*other.added, *other.changed, *other.gone})


def hidden(case: Case, target: str | None) -> frozenset[str]:
    """Ignored files that the other side tracks: git overwrites them without a word."""
    option = case.invocation.option("--overwrite-ignore")
    if option is not None and option.negated:
        return frozenset()
    try:
        arriving = overwritten(case, target)
        return frozenset(arriving & ignored_files(case, arriving)) if arriving else frozenset()
    except Unanswered:
        return frozenset()


def ignored_files(case: Case, paths: set[str]) -> set[str]:
    """Those of `paths` that are ignored, by themselves or with a directory above them."""
    here: State = case.state(ignored=True)
    folders = tuple(path for path in here.ignored if path.endswith("/"))
    return {path for path in paths if path in here.ignored or path.startswith(folders)}


def abandoned(case: Case, target: str | None) -> int:
    """Commits of a detached HEAD that nothing names once it has moved away."""
    repository = case.place().repository
    if case.world.branch(repository) is not None:
        return 0
    try:
        head = case.world.resolve(repository, "HEAD")
        wanted = case.world.resolve(repository, f"{target}^{{commit}}") if target else None
        return case.only_here((head,), frozenset(), (wanted,)) if head and head != wanted else 0
    except Unanswered:
        return 0


def reset_branch(case: Case, target: str | None) -> int:
    """Commits of a branch that -B, -C or --force-create moves elsewhere."""
    option = case.invocation.option("-B", "--force-create")
    if option is None or option.value is None or option.value.text is None:
        return 0
    repository = case.place().repository
    full = f"refs/heads/{option.value.text}"
    try:
        old = case.world.refs(repository, full).get(full)
        wanted = case.world.resolve(repository, f"{target or 'HEAD'}^{{commit}}")
        return case.only_here((old,), frozenset((full,)), (wanted,))
    except Unanswered:
        return 0
