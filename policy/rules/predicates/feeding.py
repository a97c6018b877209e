"""Whether what a command finds is what another one is given: in a substitution among its words, or by xargs behind it in the pipeline."""

from __future__ import annotations

from policy.rules.fact import FactResult
from policy.rules.predicates.surroundings import pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

CHOOSING = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack"})
PATTERNS = ("/", "~", "==")


def feeds(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """One of the named programs gets all that it finds: nothing between them chooses among it."""
    programs = question.value
    following = pipeline(reading, invocation, after=True)
    if any(_chooses(one) for one in following):
        return FactResult(False)
    taking = [one for one in reading.invocations if one.program in programs and one is not invocation]
    if any(one.program == "xargs" for one in following) and any("xargs" in one.launched_by for one in taking):
        return FactResult(True)
    return FactResult(any(_inside(invocation, one) for one in taking))


def _chooses(one: Invocation) -> bool:
    if one.program in CHOOSING:
        return not one.has("--invert-match")
    scripts = (
        "".join(value.text or "" for value in one.words[1:]) if one.program in ("awk", "gawk", "mawk", "sed") else ""
    )
    return any(sign in scripts for sign in PATTERNS)


def _inside(invocation: Invocation, other: Invocation) -> bool:
    """Its text stands among the other's words; in text that is not the request's own, by what is written there."""
    mine, theirs = invocation.span, other.span
    if mine == theirs and invocation.launched_by == other.launched_by:
        return any(word.text is None and invocation.program in word.raw for word in other.words)
    return mine is not None and theirs is not None and mine != theirs and theirs[0] <= mine[0] and mine[1] <= theirs[1]
