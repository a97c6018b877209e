"""What commands that bring paths back lose: restore, checkout with paths, checkout-index, apply --reverse."""

from __future__ import annotations

from policy.model import Value
from policy.programs.paths import absolute
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_place import parts
from policy.rules.predicates.git_reset import older_versions, overwritten, submodules_too
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation
    from policy.rules.predicates.git_state import Case, State

LIST = 65_536


def restore(case: Case) -> Loss:
    given = case.invocation
    if given.has("--patch"):
        return NOTHING
    operands = given.operands if not given.has("--pathspec-from-file") else listed(case)
    if not operands:
        return NOTHING
    source = given.option("--source")
    worktree = given.has("--worktree") or not given.has("--staged")
    if not worktree:
        here = case.state()
        wanted = spec(case, here, operands)
        return NOTHING if here.dead else Loss(staged=frozenset(wanted.of(older_versions(here))), unsure=not wanted.sure)
    name = (source.value.text if source.value is not None else None) if source is not None else ""
    if source is None and given.has("--staged"):
        name = "HEAD"
    return back(case, operands, source=name, index=given.has("--staged"), whole=True)


def listed(case: Case) -> tuple[Value, ...]:
    """The paths in --pathspec-from-file: unknown ones when they come from elsewhere than a small file or known input."""
    option = case.invocation.option("--pathspec-from-file")
    name = option.value.text if option is not None and option.value is not None else None
    if name == "-":
        text = case.invocation.stdin
    elif name is None or name == "/dev/null":
        text = "" if name is not None else None
    else:
        cwd = case.place().cwd
        text = case.world.read_text(name if name.startswith("/") else f"{cwd}/{name}", LIST)
    if text is None:
        return (Value(None),)
    return tuple(Value(line, line) for line in text.replace("\0", "\n").splitlines() if line)


def spec(case: Case, here: State, operands: tuple[Value, ...]) -> Spec:
    del case
    return Spec(operands, here.place.prefix, here.repository.root)


def back(case: Case, operands: tuple[Value, ...], *, source: str | None, index: bool, whole: bool = False) -> Loss:
    """Paths from the index (`source` ""), a commit, or one side of a conflict.

    `index`: the staged version is replaced too. `whole`: paths that the source lacks are removed (restore without --overlay).
    """
    here = case.state()
    if here.dead:
        return NOTHING
    wanted = spec(case, here, operands)
    given = case.invocation
    worktree = here.modified | here.assumed | here.intent | here.shadowed()
    if given.has("--ignore-unmerged"):
        worktree -= here.unmerged
    staged = (here.staged - here.modified) if index and source != "" else set()
    if source == "":
        if not given.has("--ours", "--theirs", "--merge", "--ignore-unmerged", "--force") and wanted.of(here.unmerged):
            return NOTHING
        if given.has("--merge"):
            staged = here.staged
    elif not whole or (given.has("--overlay")):
        worktree, staged = in_source(case, source, here, worktree, staged)
    worktree = wanted.of(worktree)
    if source not in ("", "HEAD", "@"):
        worktree |= wanted.of(overwritten(case, source))
        if here.skipped:
            worktree |= wanted.of(here.skipped & set(case.world.against(here.repository, source or "").changed))
    if submodules_too(case):
        from policy.rules.predicates.git_submodule import edits

        worktree |= wanted.of(edits(case, untracked=False))
    return Loss(worktree=frozenset(worktree), staged=frozenset(wanted.of(staged)), unsure=not wanted.sure)


def in_source(
    case: Case, source: str | None, here: State, worktree: set[str], staged: set[str]
) -> tuple[set[str], set[str]]:
    """Only what the commit tracks is touched."""
    if source is None:
        return worktree, staged
    try:
        there = case.world.against(here.repository, source)
        lacking = set(there.added) | (here.intent - set(there.changed))
    except Unanswered:
        return worktree, staged
    return worktree - lacking, staged - lacking


def checkout_index(case: Case) -> Loss:
    given = case.invocation
    here = case.state()
    if here.dead or not given.has("--force") or given.has("--prefix", "--temp", "--no-create"):
        return NOTHING
    environment = {name for name, _ in given.environment}
    if "GIT_INDEX_FILE" in environment:
        return NOTHING
    worktree = here.modified | here.assumed | here.shadowed()
    if given.has("--all"):
        return Loss(worktree=frozenset(worktree - here.unmerged))
    wanted = Spec(given.operands, here.place.prefix, here.repository.root)
    return Loss(worktree=frozenset(wanted.of(worktree)), unsure=not wanted.sure or given.has("--stdin"))


def update_index(case: Case) -> Loss:
    """Entries taken out or replaced by hand: the staged version goes."""
    given = case.invocation
    if not given.has("--force-remove", "--cacheinfo"):
        return NOTHING
    here = case.state()
    option = given.option("--cacheinfo")
    named = [Value(word, word) for word in (option.value.text or "").split(",")[2:]] if option and option.value else []
    wanted = Spec((*given.operands, *named), here.place.prefix, here.repository.root)
    return Loss(staged=frozenset(wanted.of(older_versions(here))))


def apply(case: Case) -> Loss:
    """`git diff | git apply --reverse` takes back what is not staged, as `git diff -R | git apply` does; so does a diff in a file that this request wrote."""
    given = case.invocation
    source = compared_by(case)
    if given.has("--reverse") == (source is not None and source.has("-R")):
        return NOTHING
    if source is None and "git" not in given.piped_from:
        return NOTHING
    here = case.state()
    if source is not None and between_commits(case, here, source):
        return NOTHING
    if given.has("--cached"):
        return Loss(staged=frozenset(older_versions(here)))
    if given.has("--index"):
        return NOTHING if here.modified else Loss(staged=frozenset(here.staged))
    return Loss(worktree=frozenset(compared(case, here).of(here.modified)))


def kept(case: Case) -> Invocation | None:
    """The `git diff` of this request whose output the patch is read from: a file, or a process substitution."""
    read = {effect.path for effect in case.invocation.redirects if effect.kind == "read"}
    read |= {path for value in case.invocation.operands if (path := absolute(value.text or "", case.invocation.cwd))}
    substituted = any(path is not None and path.startswith("/dev/fd/") for path in read)
    for one in reversed(case.reading.invocations[: case.question.position]):
        if one.program == "git" and one.subcommand == "diff":
            written = {effect.path for effect in (*one.redirects, *one.effects) if effect.kind in ("write", "append")}
            if substituted or written & read:
                return one
    return None


def compared(case: Case, here: State) -> Spec:
    """The paths that the diff at the other end of the pipe speaks of."""
    one = compared_by(case)
    if one is None:
        return Spec((), "", here.repository.root)
    before, behind = parts(one)
    named = [value for value in before if not revision(case, here, value)]
    return Spec((*named, *(behind or ())), here.place.prefix, here.repository.root)


def between_commits(case: Case, here: State, source: Invocation) -> bool:
    """Whether a `git diff` compares two commits, so that no uncommitted change is in it."""
    commits = [value for value in parts(source)[0] if revision(case, here, value)]
    return len(commits) > 1 or any(".." in (value.text or "") for value in parts(source)[0])


def compared_by(case: Case) -> Invocation | None:
    """The `git diff` at the other end of the pipe, or whose output was kept."""
    source = kept(case)
    for one in reversed(case.reading.invocations[: case.question.position]):
        piped = one.program == "git" and one.subcommand == "diff" and case.invocation.program in one.piped_to
        if piped or one is source:
            return one
    return None


def written(case: Case) -> Loss:
    """Output of git that goes over tracked files with edits, as `git show HEAD:f > f` and `git archive HEAD | tar x` do."""
    here = case.state()
    top = here.repository.root.rstrip("/") + "/"
    real = {case.world.path(path).real for path in case.output()}
    names = {path.removeprefix(top) for path in real if path.startswith(top)}
    edited = here.modified | here.assumed
    lost = names & edited
    for effect in case.invocation.effects if case.invocation.program in ("tar", "cpio") else ():
        folder = case.world.path(effect.path).real.rstrip("/") + "/" if effect.kind == "create" and effect.path else ""
        if folder and f"{top}".startswith(folder):
            lost |= edited
        elif folder.startswith(top):
            lost |= {name for name in edited if f"{top}{name}/".startswith(folder)}
    return NOTHING if here.dead else Loss(worktree=frozenset(lost))


def revision(case: Case, here: State, value: Value) -> bool:
    """Whether a word of `git diff` is a commit."""
    if value.text is None:
        return False
    return value.text.startswith(("HEAD", "@")) or case.world.resolve(here.repository, value.text) is not None
