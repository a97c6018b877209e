"""A match whose command runs on another machine, in a container or, of git, in a directory that is not known: its facts asked there, where state can only be guessed at.

What hangs on such state, or on what a path stands for there, is never sure: a rule that would refuse it here asks. What the text alone
says is as sure there as here.
"""

from __future__ import annotations

from policy import conclude, elsewhere
from policy.evaluate import RANK, Outcome
from policy.rules.fact import Question
from policy.rules.match_effects import YES
from policy.rules.predicates import ANYWHERE
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.evaluate import Candidate, Case
    from policy.model import Effect, Invocation, Reading
    from policy.rules.fact import FactResult


BY_NAME = frozenset({"secret"})
"""Classes of paths that the last name alone decides, wherever the directory is."""


def asked(case: Case, found: Candidate) -> Outcome:
    """The candidate's facts, in order, until one does not hold."""
    invocation = case.reading.invocations[found.position]
    reading = _moved(case.reading)
    there = reading.invocations[found.position]
    model = elsewhere.Elsewhere(there)
    effects = tuple(map(elsewhere.placed, found.effects))
    originals = {id(made): original for made, original in zip(effects, found.effects, strict=True)}
    facts: list[tuple[str, bool, FactResult]] = []
    unsure = False
    for name, value, negated in found.alternative[1]:
        if name not in ANYWHERE and name not in elsewhere.ASKED:
            unsure = True
            continue
        question = Question(value, effects, case.request, case.compiled.config["settings"], found.position)
        try:
            result = case.ask(name, there, case.world if name in ANYWHERE else model, question, reading)
        except Unanswered:
            unsure = True
            continue
        except Exception as error:  # noqa: BLE001  -- a fact that breaks must not be silent
            return Outcome(found, (conclude.failed(error, found.rule.id),), tuple(facts))
        facts.append((name, negated, result.replace(names=(), total=0, note="") if name in elsewhere.ASKED else result))
        if result.held is negated:
            return Outcome(found, (), tuple(facts))
        unsure = unsure or result.held is None or name not in ANYWHERE
        if result.effects:
            effects = result.effects
        if name == "path_class":
            by_name = BY_NAME.issuperset(value["any"])
            unsure = unsure or (not by_name and (invocation.place == "container" or _guessed(effects, originals)))
    kept = tuple(originals.get(id(effect), effect) for effect in effects)
    return conclude.concluded(case, _softened(found, unsure=unsure).replace(effects=kept), tuple(facts), unsure=unsure)


_last: list[tuple[Reading, Reading]] = []


def _moved(reading: Reading) -> Reading:
    """The reading with every command there moved to where it is judged; made once for a reading."""
    if not _last or _last[0][0] is not reading:
        made = tuple(elsewhere.moved(one) if _is_away(one) else one for one in reading.invocations)
        _last[:] = [(reading, reading.replace(invocations=made))]
    return _last[0][1]


def _is_away(one: Invocation) -> bool:
    return one.place != "local" or (one.cwd is None and one.program == "git")


def _guessed(effects: tuple[Effect, ...], originals: dict[int, Effect]) -> bool:
    """Whether a path was made absolute from a directory that is not known."""
    return all(originals.get(id(effect), effect) is not effect for effect in effects)


def _softened(found: Candidate, *, unsure: bool) -> Candidate:
    """A refusal that only may be due is a question, also by a rule that leaves what is not known of words alone."""
    rule = found.rule
    if unsure and found.verdict == YES and rule.action == "deny" and RANK[rule.maybe] < RANK["ask"]:
        return found.replace(rule=rule.replace(maybe="ask"))
    return found
