"""Paths that `find` hands to xargs: known by where it looks, when not by name."""

from __future__ import annotations

from policy.model import Effect
from policy.rules.fact import NO, FactResult
from policy.rules.predicates.find_tests import filtered_delete
from policy.rules.predicates.places import Place
from policy.rules.predicates.surroundings import pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

LISTERS = ("find", "fd", "fdfind", "ls", "rg", "grep", "git")


def found_paths(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """What xargs hands over is found below a place of one of these path classes."""
    for path in _roots(invocation, world, question, reading):
        place = Place(Effect("delete", path, recursive=True, within=True), invocation, world, question)
        if place.fits(tuple(question.value), ("cache", "temporary")):
            return FactResult(True, (path,), 1, "found below it")
    return NO


def found_inside(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """What xargs hands over is listed, by a test on names or the like, below the command's own repository or folder or a temporary one."""
    roots = list(_roots(invocation, world, question, reading))
    lister = _lister(invocation, reading)
    if lister is None or not roots:
        return NO
    picked = lister.program != "find" or filtered_delete(lister, world, question, reading).held
    places = [Place(Effect("delete", path, recursive=True, within=True), invocation, world, question) for path in roots]
    return FactResult(bool(picked) and not any(place.belongs("outside") for place in places))


def _lister(invocation: Invocation, reading: Reading) -> Invocation | None:
    if "xargs" not in invocation.launched_by and "parallel" not in invocation.launched_by:
        return None
    return next((i for i in pipeline(reading, invocation, after=False) if i.program in LISTERS), None)


def _roots(invocation: Invocation, world: World, question: Question, reading: Reading) -> list[str]:
    from policy.programs.paths import absolute

    del world, question
    lister = _lister(invocation, reading)
    if lister is None or lister.cwd is None:
        return []
    if lister.program in ("git", "rg", "grep", "fd", "fdfind"):
        return [lister.cwd]
    named = [v.text for v in lister.operands if v.text and not v.text.startswith(("-", "(", "!"))]
    found = (absolute(text, lister.cwd) for text in named or ["."])
    return [path for path in found if path]
