"""git in a jj repository: reads are true as they are, writes go past jj and are refused or carried out by jj."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import FactResult
from policy.rules.predicates.git_place import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

    Reads = Callable[[Invocation], bool]

READS = frozenset(
    (
        "", "annotate", "archive", "blame", "bundle list-heads", "bundle verify", "cat-file", "check-attr", "check-ignore", "check-mailmap",
        "check-ref-format", "cherry", "column", "config get", "config list", "count-objects", "credential", "describe", "diff", "diff-files",
        "diff-index", "diff-tree", "fmt-merge-msg", "for-each-ref", "grep", "help", "interpret-trailers", "log", "ls-files",
        "ls-remote", "ls-tree", "merge-base", "merge-tree", "name-rev", "notes list", "notes show", "notes", "patch-id", "range-diff", "reflog",
        "reflog exists", "reflog list", "reflog show", "remote", "remote get-url", "remote show", "request-pull", "rev-list", "rev-parse",
        "send-email", "shortlog", "show", "show-branch", "show-index", "show-ref", "stash list", "stash show", "status", "stripspace",
        "submodule status", "submodule summary", "submodule", "var", "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged",
        "worktree list", "format-patch", "bundle create", "fast-export", "bisect log", "difftool", "gitk", "web--browse", "last-modified",
        "diff-pairs",
    )
)  # fmt: skip
"""Subcommands that write nothing to a repository, whatever their options."""

OWN = frozenset(
    (
        "add", "stage", "commit", "stash", "stash push", "stash save", "worktree add", "worktree remove", "worktree prune", "checkout",
        "switch", "reset", "restore", "clean", "rm", "branch", "tag", "fetch", "pull", "remote update", "push", "rebase", "merge", "cherry-pick",
    )
)  # fmt: skip
"""Subcommands with a rule of their own beside jj/git-write."""

LISTING = ("--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--show-current")
CHANGING = (
    "--delete", "-D", "--move", "-M", "--copy", "-C", "--force", "--set-upstream-to", "--unset-upstream", "--edit-description", "--annotate",
    "--sign", "--message", "--file", "--create-reflog", "--track",
)  # fmt: skip


TELLING = ("list", "exists", "verify", "info", "structure")
"""What `git refs` and `git repo` only tell."""

LFS = ("", "env", "ext", "help", "locks", "logs", "ls-files", "pointer", "status", "version")
"""What git-lfs only tells."""


def lists(invocation: Invocation) -> bool:
    """`git branch` and `git tag`: without a name, or with an option that turns names into patterns."""
    if invocation.has(*CHANGING):
        return False
    return not invocation.operands or invocation.has(*LISTING) or invocation.has("--verify", "-n")


def configures(invocation: Invocation) -> bool:
    """Reading, or writing the person's or the system's file, which is no part of the repository."""
    words = [word.text or "" for word in invocation.words]
    if any(word in ("--global", "--system") for word in words):
        return True
    if any(word.startswith(("--get", "--list")) or word == "-l" for word in words):
        return True
    return len(invocation.operands) <= 1 and not any(
        word.startswith(("--unset", "--edit", "--remove", "--rename")) for word in words
    )


def first(invocation: Invocation) -> str | None:
    """The first operand; "" where there is none, None where it is not known."""
    return invocation.operands[0].text if invocation.operands else ""


def elsewhere(invocation: Invocation) -> bool:
    """A new repository in a directory of its own."""
    return len(invocation.operands) >= (1 if invocation.subcommand == "init" else 2)


SOMETIMES: dict[str, Reads] = {
    "branch": lists,
    "tag": lists,
    "config": configures,
    "clone": elsewhere,
    "init": elsewhere,
    "hash-object": lambda one: not any(word.text == "-w" for word in one.words),
    "symbolic-ref": lambda one: len(one.operands) <= 1 and not one.has("--delete"),
    "apply": lambda one: one.has("--check", "--stat", "--numstat", "--summary") and not one.has("--apply"),
    "clean": lambda one: one.has("--dry-run"),
    "push": lambda one: one.has("--dry-run"),
    "fsck": lambda one: not one.has("--lost-found"),
    "lfs": lambda one: first(one) in LFS,
    "refs": lambda one: first(one) in TELLING,
    "repo": lambda one: first(one) in TELLING,
    "sparse-checkout": lambda one: any(value.text == "list" for value in one.operands),
}


def writes(invocation: Invocation) -> bool:
    """Whether a git command would change a repository. One that is not known does."""
    if invocation.subcommand in READS:
        return False
    test = SOMETIMES.get(invocation.subcommand)
    return test is None or not test(invocation)


def _into(invocation: Invocation, world: World, root: str) -> bool:
    """Whether the new repository would be made in the very directory that jj keeps; git makes none in a folder that holds something."""
    target = invocation.operands[-1].text
    if target is None:
        return invocation.subcommand == "init"
    path = absolute(target, invocation.cwd) or root
    return (world.path(path).real or path) == root


def jj_git(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether git would write to a repository that jj keeps. Value: "any", or "other" for subcommands without a rule of their own."""
    if invocation.marks and "maybe" in invocation.marks and not invocation.subcommand:
        return FactResult(False)
    made = invocation.subcommand in ("init", "clone")
    if (not made and not writes(invocation)) or (question.value == "other" and invocation.subcommand in OWN):
        return FactResult(False)
    if invocation.launched_by[-1:] == ("jj",):
        return FactResult(False)
    repository = place(invocation, world).repository
    aside = made and not writes(invocation)
    if repository.kind not in ("jj", "jj-colocated") or (aside and not _into(invocation, world, repository.root)):
        return FactResult(False)
    from policy.rules.predicates.git_state import made_by

    if made_by(invocation, world, question, reading) is not None:
        return FactResult(False)
    return _told(invocation, world, repository.root)


def _told(invocation: Invocation, world: World, root: str) -> FactResult:
    from policy.rules.predicates import jj_wish, jj_words  # only a refusal needs them

    def is_path(name: str) -> bool:
        found = absolute(name, invocation.cwd)
        return found is not None and world.path(found).kind != "missing"

    asked = jj_wish.wish(invocation, is_path)
    hint = jj_wish.hint(asked)
    note = f"the repository at {root} is kept by jj" + (f", and {hint}" if hint else "")
    return FactResult(True, note=note, instead=jj_words.instead(asked))
