"""What stash commands lose: entries, which all working trees of a repository share."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_state import Case, made_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World


def drop(case: Case) -> Loss:
    """One entry: its message."""
    here = case.state()
    if here.saved:
        return Loss(stash=("what this request stashed",))
    entries = case.world.stashes(here.repository)
    if here.dead or not entries:
        return NOTHING
    operand = case.invocation.operands[0] if case.invocation.operands else None
    if operand is None:
        return Loss(stash=(entries[0],))
    if operand.text is None:
        return Loss(stash=entries, unsure=True)
    which = number(operand.text)
    return Loss(stash=(entries[which],)) if which is not None and which < len(entries) else NOTHING


def number(name: str) -> int | None:
    """2 for "stash@{2}" or "2"."""
    digits = name.removeprefix("refs/").removeprefix("stash@{").removesuffix("}")
    return int(digits) if digits.isascii() and digits.isdigit() else None


def clear(case: Case) -> Loss:
    here = case.state()
    mine = ("what this request stashed",) if here.saved else ()
    return Loss(stash=(*mine, *case.world.stashes(here.repository)))


def nothing(case: Case) -> Loss:
    del case
    return NOTHING


def stash_entries(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """The entries that a drop or clear would take: always held, so that what another session stashes meanwhile is safe too.

    In a repository that the request makes there is no other session.
    """
    made = made_by(invocation, world, question, reading)
    if made is not None and made.subcommand != "worktree add":
        return FactResult(False)
    found = (drop if invocation.subcommand == "stash drop" else clear)(Case(invocation, world, question, reading)).stash
    note = (
        f"{len(found)} of them"
        if found
        else "there is none now, but any that another session makes is in the same list"
    )
    return FactResult(True, found, len(found), note)


def shared_stash(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Whether others push to and pop from the same stash: other working trees of the repository, or live sessions in it."""
    cwd = invocation.cwd
    if cwd is None and question.request.cwd is not None:
        invocation = invocation.replace(cwd=question.request.cwd)
    repository = Case(invocation, world, question, reading).place().repository
    if repository.kind == "none":
        return FactResult(False)
    if repository.worktrees:
        return FactResult(True, repository.worktrees, len(repository.worktrees), "other working trees share it")
    sessions = world.sessions(repository.root)
    return FactResult(sessions > 0, (), sessions, "another agent session works in this repository" if sessions else "")
