"""What commands lose that delete or move names: branches, tags, refs, reflogs."""

from __future__ import annotations

from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_order import joined
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case


def known(case: Case) -> list[str]:
    """The operands; Unanswered when one is not known."""
    found = []
    for value in case.invocation.operands:
        if value.text is None:
            raise Unanswered("which ref it is is not known before it runs")
        found.append(value.text)
    return found


def occupied(case: Case, branch: str) -> bool:
    """Whether some working tree has the branch checked out: git then refuses to delete or move it."""
    repository = case.place().repository
    if case.branch() == branch:
        return True
    return any(case.world.branch(case.world.repository(root, {})) == branch for root in repository.worktrees)


KEEPERS = {"merge": 0, "push": 1, "branch": 1, "tag": 1}
"""git subcommand to the place of the operand whose commits have one more name when it succeeded."""
OTHERWISE = ("--squash", "--no-commit", "--dry-run", "--delete", "-D", "--list", "--prune", "--mirror", "-M", "--move")
"""Options with which they give no name, or take one."""
UNDOING = ("reset", "rebase", "update-ref", "filter-branch")
"""Subcommands that may take the new name away again."""


def named_again(case: Case, branch: str) -> bool:
    """Whether an earlier command of the request, without which this one does not run, put the branch's commits under another name."""
    kept = False
    for one in case.reading.invocations[: case.question.position]:
        if one.program != "git":
            continue
        if one.subcommand in UNDOING:
            kept = False
        elif one.subcommand in KEEPERS and not one.launched_by and one.cwd == case.invocation.cwd:
            names = [value.text or "" for value in one.operands[KEEPERS[one.subcommand] :]]
            mine = branch in names or (
                one.subcommand == "push" and any(name.startswith(f"{branch}:") for name in names)
            )
            kept = kept or (mine and not one.has(*OTHERWISE) and joined(one, case.invocation, case.reading) == "and")
    return kept


def branch(case: Case) -> Loss:
    given = case.invocation
    shown = given.has("--list", "--show-current") or not given.operands
    if shown or not given.has("-D", "-M", "-C", "--force"):
        return NOTHING  # without force git refuses where something would be lost, whatever the names are
    repository = case.place().repository
    names = known(case)
    if given.has("-D") or (given.has("--delete") and given.has("--force")):
        prefix = "refs/remotes/" if given.has("--remotes") else "refs/heads/"
        if prefix == "refs/remotes/":
            return NOTHING
        gone = frozenset(prefix + name for name in names if not occupied(case, name) and not named_again(case, name))
        return Loss(commits=case.only_here((ids(case, full) for full in gone), gone, (case.head(),)))
    if given.has("-M", "-C") or (given.has("--move", "--copy", "--force") and given.has("--force")):
        target = names[-1] if given.has("-M", "-C", "--move", "--copy") else names[0]
        full = f"refs/heads/{target}"
        if occupied(case, target):
            return NOTHING
        source = (
            names[0]
            if len(names) > 1 and given.has("-M", "-C", "--move", "--copy")
            else names[1]
            if len(names) > 1
            else "HEAD"
        )
        kept = (case.world.resolve(repository, f"{source}^{{commit}}"), case.head())
        number = case.only_here((ids(case, full),), frozenset((full,)), kept)
        return Loss(commits=number) if given.has("-M", "--move") else Loss(reflog=number)
    return NOTHING


def ids(case: Case, full: str) -> str | None:
    return case.world.refs(case.place().repository, full).get(full)


def tag(case: Case) -> Loss:
    given = case.invocation
    if not given.operands or not given.has("--delete", "--force"):
        return NOTHING
    names = known(case) if given.has("--delete") else known(case)[:1]
    gone = frozenset(f"refs/tags/{name}" for name in names)
    return Loss(commits=case.only_here((ids(case, full) for full in gone), gone, (case.head(),)))


def update_ref(case: Case) -> Loss:
    given = case.invocation
    if given.has("--stdin"):
        return from_stdin(case)
    names = known(case)
    if not names:
        return NOTHING
    full = name_of(case, names[0])
    if full == "refs/stash":
        return Loss(stash=case.world.stashes(case.place().repository)) if given.has("-d") else NOTHING
    new = None if given.has("-d") or len(names) < 2 else names[1]
    return moved(case, full, new, deleted=given.has("-d"))


def name_of(case: Case, name: str) -> str:
    """The branch behind HEAD, a full name as it is."""
    if name != "HEAD":
        return name
    current = case.world.branch(case.place().repository)
    return f"refs/heads/{current}" if current is not None else "HEAD"


def moved(case: Case, full: str, new: str | None, *, deleted: bool) -> Loss:
    repository = case.place().repository
    old = case.head() if full == "HEAD" else ids(case, full)
    kept = [case.world.resolve(repository, f"{new}^{{commit}}")] if new else []
    if full not in ("HEAD", name_of(case, "HEAD")):
        kept.append(case.head())
    number = case.only_here((old,), frozenset((full,)), kept)
    if full == "HEAD" and deleted:
        number = max(number, 1)  # without .git/HEAD there is no repository any more, whatever else names the commits
    return Loss(commits=number) if deleted else Loss(reflog=number)


def from_stdin(case: Case) -> Loss:
    """Commands fed to --stdin, as far as they are known."""
    if case.invocation.stdin is None:
        raise Unanswered("what update-ref --stdin is fed is not known before it runs")
    number = 0
    for line in case.invocation.stdin.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] in ("delete", "update"):
            number += moved(
                case, words[1], words[2] if words[0] == "update" and len(words) > 2 else None, deleted=True
            ).commits
    return Loss(commits=number)


def symbolic_ref(case: Case) -> Loss:
    """HEAD put on another branch: commits of a detached one lose their only name."""
    names = known(case)
    if len(names) < 2 or names[0] != "HEAD" or case.world.branch(case.place().repository) is not None:
        return NOTHING
    return Loss(reflog=case.only_here((case.head(),), frozenset(), (ids(case, names[1]),)))


def reflog(case: Case) -> Loss:
    """Stash entries deleted by way of their log."""
    given = case.invocation
    if not any((value.text or "stash").startswith(("stash", "refs/stash")) for value in given.operands):
        return NOTHING
    entries = case.world.stashes(case.place().repository)
    return Loss(stash=entries[:1] if given.subcommand == "reflog delete" else entries)


def fetch(case: Case) -> Loss:
    """Refspecs that write local branches: with --update-head-ok even the current one."""
    given = case.invocation
    if not given.has("--update-head-ok"):
        return NOTHING
    number = 0
    for word in known(case)[1:]:
        number += fetched(case, word)
    return Loss(reflog=number)


def fetched(case: Case, refspec: str) -> int:
    """Commits of the local branch that a fetch into it leaves behind."""
    source, _, target = refspec.removeprefix("+").partition(":")
    repository = case.place().repository
    if "*" in target:
        heads = case.world.refs(repository, "refs/heads/")
        gone = frozenset(heads)
        return case.only_here(heads.values(), gone)
    full = target if target.startswith("refs/") else f"refs/heads/{target}"
    remote = case.world.resolve(repository, f"origin/{source}")
    return case.only_here((ids(case, full),), frozenset((full,)), (remote,)) if target else 0
