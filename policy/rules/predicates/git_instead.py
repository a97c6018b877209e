"""What to run in the place of a git command that would lose something, where a rule's own words cannot say it."""

from __future__ import annotations

from policy.rules.predicates.git_place import parts
from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.rules.predicates.git_lost import Loss
    from policy.rules.predicates.git_state import Case

MOST = 3
"""Files that are named one by one."""
EVERYTHING = "git stash push --include-untracked"
BRANCH = "refs/heads/"


def instead(case: Case, found: Loss) -> tuple[str, ...]:
    """Commands for the directory that the judged one works in; () where the rule's own suggestions are right."""
    given = case.invocation
    if case.launcher() == "submodule foreach" or given.has("--recurse-submodules"):
        return (f"git submodule foreach {EVERYTHING}",)
    if given.program != "git":
        return ()
    if given.subcommand == "clean":
        kinds = [sign for sign in ("-x", "-X") if given.has(sign)]
        return (" ".join(("git clean --dry-run -d", *kinds)), "git stash push --all" if kinds else EVERYTHING)
    if given.subcommand == "checkout":
        return (*_kept(case, found), EVERYTHING)
    ref = given.operands[0].text if given.operands else None
    if given.subcommand == "update-ref" and ref and ref.startswith((BRANCH, "refs/tags/")):
        name = shell_quote(ref.removeprefix(BRANCH))
        moved = (f"git branch --move {name} old-{name}",) if ref.startswith(BRANCH) else ()
        return (*moved, f"git tag kept-{ref.rpartition('/')[2]} {shell_quote(ref)}")
    return ()


def _kept(case: Case, found: Loss) -> tuple[str, ...]:
    """A stash of the very files: by the pathspecs as they were given, or by name."""
    behind = parts(case.invocation)[1]
    names = [value.text for value in behind or () if value.text]
    if not names and case.invocation.operands and len(found.worktree) <= MOST:
        prefix = case.place().prefix
        names = [
            name.removeprefix(prefix) if name.startswith(prefix) else f":/{name}" for name in sorted(found.worktree)
        ]
    return (f"git stash push -- {' '.join(map(shell_quote, names))}",) if names else ()
