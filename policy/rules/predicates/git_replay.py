"""What earlier git commands of a request leave behind: saved work is no longer at stake, restored work is again."""

from __future__ import annotations

from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_place import parts
from policy.rules.predicates.git_state import ENTRY, State, spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Invocation
    from policy.rules.predicates.git_place import Place

    Step = Callable[[State, Invocation, Place], None]


def apply(found: State, one: Invocation, at: Place, joined: str) -> None:
    """`joined` as `git_state.joined` says. A command that may not have run saves nothing, nor does a commit that a hook may refuse."""
    step = STEPS.get(one.subcommand)
    if one.subcommand == "fetch":
        found.fetched = True
    if joined == "maybe" and one.subcommand in {"checkout", "switch"}:
        found.branch = ""
    if (
        step is None
        or joined == "maybe"
        or (joined == "then" and one.subcommand == "commit")
        or one.has("--dry-run", "--patch")
    ):
        return
    if one.subcommand in SAVING and stash_fails(found):
        found.dead = found.dead or joined == "and"
        return
    mine, found.place = found.place, at
    step(found, one, at)
    found.place = mine


def stash_fails(found: State) -> bool:
    return bool(found.intent or found.unmerged or found.beyond_link())


def stash(found: State, one: Invocation, at: Place) -> None:
    del at
    names: tuple[str, ...] = ("modified", "staged", "both")
    if one.has("--staged"):
        if not found.both:
            found.saved.append(found.drop(set(found.staged), "staged"))
        return
    if one.has("--include-untracked", "--all"):
        names = (*names, "untracked")
    if one.has("--all"):
        names = (*names, "ignored")
    if one.has("--pathspec-from-file"):
        return
    wanted = spec(found, one) if one.subcommand != "stash save" and one.operands else None
    stay = {path for path in found.untracked if path.endswith("/")}
    taken = {
        path
        for name in names
        for path in getattr(found, name)
        if path not in stay and (wanted is None or path in wanted)
    }
    if wanted is not None and not wanted.sure:
        return
    kept = found.drop(taken, *names)
    if any(kept.values()):
        found.saved.append(kept)


def pop(found: State, one: Invocation, at: Place) -> None:
    del at
    if found.saved and not one.operands:
        entry = found.saved[-1] if one.subcommand == "stash apply" else found.saved.pop()
        for name, paths in entry.items():
            getattr(found, name).update(paths)
    elif found.world.stashes(found.repository):
        found.modified.add(ENTRY)


def drop(found: State, one: Invocation, at: Place) -> None:
    del one, at
    if found.saved:
        found.saved.pop()


def add(found: State, one: Invocation, at: Place) -> None:
    before, behind = parts(one)
    operands = (*before, *(behind or ()))
    wanted = Spec(operands, at.prefix, at.repository.root)
    if not wanted.sure or (not operands and not one.has("--all", "--update")):
        return
    if not operands:
        wanted = Spec((), "", at.repository.root)
    new = {
        path for path in (() if one.has("--update") else found.untracked) if path in wanted and not path.endswith("/")
    }
    if one.has("--force"):
        new |= {path for path in found.ignored if path in wanted and not path.endswith("/")}
    changed = wanted.of(found.modified | found.intent)
    found.drop(new | changed, "untracked", "ignored", "modified", "both", "intent", "unmerged")
    found.staged |= new | changed


def commit(found: State, one: Invocation, at: Place) -> None:
    before, behind = parts(one)
    operands = (*before, *(behind or ()))
    if operands:
        done = Spec(operands, at.prefix, at.repository.root)
        if done.sure:
            found.drop(done.of(found.everything()), "modified", "staged", "both")
        return
    if one.has("--all"):
        found.modified.clear()
        found.both.clear()
    found.both.clear()
    found.staged.clear()


def discard(found: State, one: Invocation, at: Place) -> None:
    """The whole working tree back to a commit; what that loses is its own finding."""
    del at
    if one.subcommand == "reset" and not one.has("--hard"):
        if not one.has("--soft", "--keep", "--merge") and not one.operands:
            found.staged.clear()
            found.both.clear()
        return
    if one.subcommand != "reset" and not one.has("--force", "--discard-changes"):
        switch(found, one)
        return
    for name in ("modified", "staged", "both", "intent", "unmerged", "deleted"):
        getattr(found, name).clear()
    switch(found, one)


def switch(found: State, one: Invocation) -> None:
    """Which branch is current afterwards, "" for one that is not known."""
    if one.subcommand == "reset":
        return
    new = one.option("-b", "-B", "--create", "--force-create", "--orphan", "-c", "-C")
    before, behind = parts(one)
    if new is not None and new.value is not None and new.value.text:
        found.branch = new.value.text
    elif behind is None and len(before) == 1:
        name = before[0].text
        if name and f"refs/heads/{name}" in found.world.refs(found.repository, "refs/heads/"):
            found.branch = name
        elif name is None or found.world.path(found.place.absolute(name)).kind == "missing":
            found.branch = ""


SAVING = frozenset({"stash", "stash push", "stash save"})
STEPS: dict[str, Step] = {
    "stash": stash,
    "stash push": stash,
    "stash save": stash,
    "stash pop": pop,
    "stash apply": pop,
    "stash drop": drop,
    "add": add,
    "stage": add,
    "commit": commit,
    "reset": discard,
    "checkout": discard,
    "switch": discard,
}
