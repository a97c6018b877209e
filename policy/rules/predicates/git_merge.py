"""What merging commands lose: edited conflict resolutions when they are given up, ignored files when the other side tracks them."""

from __future__ import annotations

from policy.rules.predicates.git_checkout import ignored_files
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_place import parts
from policy.rules.predicates.git_reset import overwritten
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.rules.predicates.git_state import Case

GIVE_UP = ("--abort", "--skip")


def given_up(case: Case, operation: str, *, everything: bool) -> Loss:
    """`--abort` and `--skip`: git refuses without the operation. `everything`: other edits go too, not only conflicts."""
    here = case.state()
    if here.dead or here.operation != operation:
        return NOTHING
    worktree = here.modified | here.intent if everything else here.edited
    return Loss(worktree=frozenset(worktree), staged=frozenset(here.staged - here.modified))


def arriving(case: Case, target: str | None) -> frozenset[str]:
    """Ignored files that the other side tracks."""
    if target is None or case.world.resolve(case.place().repository, target) is None:
        return frozenset()
    try:
        found = overwritten(case, target)
        return frozenset(ignored_files(case, found)) if found else frozenset()
    except Unanswered:
        return frozenset()


def others(case: Case) -> list[str | None]:
    before, behind = parts(case.invocation)
    return [value.text for value in (*before, *(behind or ()))]


def merge(case: Case) -> Loss:
    """--no-overwrite-ignore protects in a fast-forward only, so it is not counted on."""
    given = case.invocation
    if given.has(*GIVE_UP):
        return given_up(case, "merge", everything=False)
    if given.has("--quit", "--continue", "--squash"):
        return NOTHING
    return brought(case, others(case))


def brought(case: Case, names: list[str | None]) -> Loss:
    """Ignored files that one of the commits tracks; git refuses to begin while something else is going on."""
    found = frozenset(path for name in names for path in arriving(case, name))
    return Loss(worktree=found) if found and case.state().operation not in STOPPED else NOTHING


STOPPED = ("merge", "rebase", "cherry-pick", "revert", "am")


def rebase(case: Case) -> Loss:
    given = case.invocation
    if given.has(*GIVE_UP):
        return given_up(case, "rebase", everything=True)
    if given.has("--quit", "--continue", "--edit-todo", "--show-current-patch"):
        return NOTHING
    onto = given.option("--onto")
    name = onto.value.text if onto is not None and onto.value is not None else None
    names = [name] if onto is not None else others(case)[:1] or ["@{upstream}"]
    return brought(case, names)


def pick(case: Case) -> Loss:
    given = case.invocation
    if given.has(*GIVE_UP):
        here = case.state()
        wanted = ("cherry-pick", "revert") if here.operation in ("cherry-pick", "revert") else ()
        return given_up(case, here.operation, everything=False) if given.subcommand in wanted or wanted else NOTHING
    if given.subcommand == "revert" or given.has("--quit", "--continue"):
        return NOTHING
    return brought(case, others(case))


def mail(case: Case) -> Loss:
    return given_up(case, "am", everything=True) if case.invocation.has(*GIVE_UP) else NOTHING


def pull(case: Case) -> Loss:
    """The tracking ref is what is known of the other side."""
    names = [value.text for value in case.invocation.operands]
    found = arriving(case, "/".join(name or "" for name in names) if len(names) == 2 else "@{upstream}")
    moved = 0
    if len(names) == 2 and names[1] and names[1].startswith("+") and ":" in names[1]:
        from policy.rules.predicates.git_refs import fetched

        moved = fetched(case, names[1])
    return Loss(worktree=found, reflog=moved)
