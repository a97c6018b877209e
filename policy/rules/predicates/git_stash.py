"""What stash commands lose: entries, which all working trees of a repository share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policy.rules.predicates.git_loss import NOTHING, Loss

if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case


def drop(case: Case) -> Loss:
    """One entry: its message."""
    here = case.state()
    if here.saved:
        return Loss(stash=("what this request stashed",))
    entries = case.world.stashes(here.place.repository)
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
    return Loss(stash=(*mine, *case.world.stashes(here.place.repository)))


def nothing(case: Case) -> Loss:
    del case
    return NOTHING
