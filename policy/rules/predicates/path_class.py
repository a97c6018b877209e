"""What kind of place a path is: the classes that rules name, and the fact that narrows a match's effects to them.

A path that ends in wildcards (`~/*`) stands for what is below its folder and has that folder's classes. Where a symbolic link is followed,
the real place counts too. Classes of paths on another machine are told by their text alone.
"""

from __future__ import annotations

from policy.rules.fact import NO, FactResult
from policy.rules.predicates import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Effect, Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

CLASSES = (
    "root", "system", "home", "home-entry", "home-hidden", "repository-root", "repository-internal", "worktree", "other-repository", "tracked",
    "modified", "untracked", "ignored", "outside", "cwd", "temporary", "temporary-root", "cache", "device", "device-safe", "credential", "secret",
    "shell-startup", "agent-settings", "guard", "missing", "directory", "file", "symlink", "unknown",
)  # fmt: skip


def path_class(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """Holds when a matched effect's path is in one of `any` (all when empty) and in none of `none`; keeps only those effects."""
    wanted, unwanted = question.value["any"], question.value["none"]
    kept: list[Effect] = []
    doubt = False
    for effect in question.matched:
        place = _place(effect, invocation, world, question, reading)
        if place.path is None and not place.known:
            if "unknown" in wanted:
                kept.append(effect)
            continue
        if place.fits(wanted, unwanted):
            kept.append(effect)
            doubt = doubt or place.path is None
    if not kept:
        return NO
    return FactResult(None if doubt else True, effects=tuple(kept))


_places: dict[tuple[int, int], places.Place] = {}
_of_reading: list[Reading] = []


def _place(effect: Effect, invocation: Invocation, world: World, question: Question, reading: Reading) -> places.Place:
    """The effect's place; several rules ask for it, and it is found out once for a reading."""
    if not _of_reading or _of_reading[0] is not reading:
        _places.clear()
        _of_reading[:] = [reading]
    found = _places.get((id(effect), id(invocation)))
    if found is None or found.world is not world:
        found = _places[id(effect), id(invocation)] = places.Place(effect, invocation, world, question)
    found.question = question
    return found
