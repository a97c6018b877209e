"""The fact `would_lose`: what exactly a git command would destroy in the state that it meets.

Classes: `worktree` (bytes that are in no object), `index` (staged bytes, left without a name), `stash` (entries), `commits` (reachable from
no other name; `reflog` while a log still remembers them), `other-worktree`, `remote` (commits there that nothing here has taken in).
What each form loses in which state was measured with real git: see tests/git_loss.
"""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_state import Case
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

CLASSES = ("worktree", "other-worktree", "remote", "stash", "index", "commits", "reflog")
WORDS = {
    "worktree": "uncommitted change",
    "other-worktree": "uncommitted change in another working tree",
    "remote": "commit on the remote",
    "stash": "stash entry",
    "index": "staged version",
    "commits": "commit that no other name holds",
    "reflog": "commit that only the reflog remembers",
}
TABLE = {
    "reset": "git_reset:reset",
    "checkout": "git_checkout:checkout",
    "switch": "git_checkout:switch",
    "restore": "git_restore:restore",
    "clean": "git_clean:clean",
    "stash drop": "git_stash:drop",
    "stash clear": "git_stash:clear",
    "stash branch": "git_stash:nothing",
    "rm": "git_remove:remove",
    "mv": "git_remove:move",
    "merge": "git_merge:merge",
    "rebase": "git_merge:rebase",
    "cherry-pick": "git_merge:pick",
    "revert": "git_merge:pick",
    "am": "git_merge:mail",
    "pull": "git_merge:pull",
    "branch": "git_refs:branch",
    "tag": "git_refs:tag",
    "update-ref": "git_refs:update_ref",
    "symbolic-ref": "git_refs:symbolic_ref",
    "reflog delete": "git_refs:reflog",
    "reflog drop": "git_refs:reflog",
    "fetch": "git_refs:fetch",
    "worktree remove": "git_worktree:remove",
    "submodule deinit": "git_submodule:deinit",
    "submodule update": "git_submodule:update",
    "sparse-checkout set": "git_clean:sparse",
    "sparse-checkout init": "git_clean:sparse",
    "read-tree": "git_reset:read_tree",
    "checkout-index": "git_restore:checkout_index",
    "update-index": "git_restore:update_index",
    "apply": "git_restore:apply",
    "push": "git_push:push",
}


CLEAN_FIRST = ("rebase", "filter-branch")
"""Subcommands that run others only in a tree without changes, and refuse in any other."""
PROGRAMS = {"patch": "git_restore:apply", "rm": "git_reset:without_index"}


def loss(case: Case) -> Loss:
    """What the command would lose; NOTHING for one that loses nothing in any state."""
    invocation = case.invocation
    entry = TABLE.get(invocation.subcommand) if invocation.program == "git" else PROGRAMS.get(invocation.program)
    if entry is None and invocation.program != "git" and "git" in invocation.piped_from:
        entry = "git_restore:written"
    output = case.output() if invocation.program == "git" and invocation.subcommand not in ("rm", "mv") else ()
    if (entry is None and not output) or invocation.has("--dry-run"):
        return NOTHING
    if case.place().repository.kind in ("none", "jj"):
        return NOTHING  # git finds no repository; what it means to jj is for the rules jj/git-*
    around = case.launcher()
    if around in CLEAN_FIRST:
        return NOTHING
    found = called(entry, case, around) if entry is not None else NOTHING
    if output:
        over = called("git_restore:written", case, "")
        found = found.replace(worktree=found.worktree | over.worktree)
    return found


def called(entry: str, case: Case, around: str) -> Loss:
    """The answer of one `module:function`; of every submodule where git runs the command in each of them."""
    module, _, function = entry.partition(":")
    path = f"policy.rules.predicates.{module}"
    find: Callable[[Case], Loss] = getattr(__import__(path, fromlist=[function]), function)
    if around != "submodule foreach":
        return find(case)
    from policy.rules.predicates.git_submodule import each

    return each(case, find)


def would_lose(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether the command would lose something of the classes that the rule names (a word, a list, or true for all of them)."""
    value = question.value
    wanted = CLASSES if value is True else (value,) if isinstance(value, str) else tuple(value)
    case = Case(invocation, world, question, reading)
    found = loss(case)
    names: list[str] = []
    notes = []
    for name in wanted:
        if name not in CLASSES:
            raise Unanswered(f"{name} is no class of losses")
        mine = found.of(name)
        if mine:
            names += [one for one in mine if one]
            notes.append(counted(len(mine), "untracked file" if invocation.subcommand == "clean" else WORDS[name]))
    if not notes:
        return FactResult(False)
    from policy.rules.predicates.git_instead import instead

    held = None if found.unsure else True
    return FactResult(
        held, tuple(names), len(names), " and ".join(notes), instead=() if found.unsure else instead(case, found)
    )


def counted(number: int, words: str) -> str:
    """As in `1 staged version` and `3 staged versions`."""
    head, *rest = words.split(" ")
    if number == 1:
        return f"1 {words}"
    for at, word in enumerate([head, *rest]):
        if word in PLURALS:
            parts = [head, *rest]
            parts[at] = PLURALS[word]
            return f"{number} {' '.join(parts)}"
    return f"{number} {words}s"


PLURALS = {"commit": "commits", "change": "changes", "entry": "entries", "version": "versions"}
