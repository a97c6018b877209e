"""Tries each rule's examples in other spellings: kept where they mean the same, at least asked about elsewhere, silent where they are data."""

from __future__ import annotations

from policy.engine import Engine
from policy.record import Record
from policy.rules import given
from policy.rules.respell_away import container, remote
from policy.rules.respell_data import data
from policy.rules.respell_same import same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy.compiled import Compiled
    from policy.rules.layers import Found
    from policy.rules.schema import Example

INPUT = ("fed", "waits_for_terminal")
"""Facts on standard input: a rule that asks them means another thing where the command's input is another."""

SPELLINGS, FORMS = 40, 12
"""The aim: how many other spellings of each refused example keep the verdict, and in how many forms as data it says nothing."""

COUNTS = ("examples", "tried", "kept", "away", "asked", "forms", "silent")


class Score(Record):
    """What became of one rule's examples. `least` and `least_data`: the fewest spellings kept, and forms silent, of any one example.

    `elsewhere` are the places that the rule's `not_in` leaves out, with its reasons. `faults` tell each form that turned out otherwise.
    """

    rule: str
    examples: int = 0
    tried: int = 0
    kept: int = 0
    least: int | None = None
    away: int = 0
    asked: int = 0
    forms: int = 0
    silent: int = 0
    least_data: int | None = None
    elsewhere: tuple[tuple[str, str], ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def reached(self) -> bool:
        """Whether the aim is met."""
        spelled = self.least is None or self.least >= SPELLINGS
        return not self.faults and spelled and (self.least_data is None or self.least_data >= FORMS)


def score(found: Found, everything: Compiled) -> Score:
    """One rule's score: some hundred forms of each example are judged."""
    result = Score(found.id, elsewhere=tuple(sorted(found.rule.not_in.items())))
    for example in found.rule.example:
        if example.run is not None:
            result = _with(result, found, example, everything)
    return result


def _with(result: Score, found: Found, example: Example, everything: Compiled) -> Score:
    """The score with one more example in it."""
    text = example.run or ""
    keeps = not _depends_on_input(found)
    alone = everything.only(given.own_buckets(found, example, everything))

    def own(spelled: str) -> str:
        return given.judge(example.model_copy(update={"run": spelled}), found.id, alone)[0]

    faults = list(result.faults)
    if example.expect in ("deny", "ask"):
        tried = list(same(text, reads_input=keeps))
        bad = _otherwise(tried, own, (example.expect,), found)
        faults += bad
        kept = len(tried) - len(bad)
        result = result.replace(examples=result.examples + 1, tried=result.tried + len(tried), kept=result.kept + kept)
        if example.expect == "deny":
            result = result.replace(least=kept if result.least is None else min(result.least, kept))
    if example.expect == "deny":
        away = [
            *(remote(text, reads_input=keeps) if "remote" not in found.rule.not_in else ()),
            *(container(text, reads_input=keeps) if "container" not in found.rule.not_in else ()),
        ]
        bad = _otherwise(away, _whole(found, example, everything), ("ask", "deny"), found)
        faults += bad
        result = result.replace(away=result.away + len(away), asked=result.asked + len(away) - len(bad))
    tried = list(data(text))
    bad = _otherwise(tried, own, ("pass",), found)
    silent = len(tried) - len(bad)
    return result.replace(
        forms=result.forms + len(tried),
        silent=result.silent + silent,
        least_data=silent if result.least_data is None else min(result.least_data, silent),
        faults=(*faults, *bad),
    )


def total(scores: Sequence[Score]) -> Score:
    """All rules together: sums, and the least of the least."""
    counted = {key: sum(getattr(one, key) for one in scores) for key in COUNTS}
    spelled = [one.least for one in scores if one.least is not None]
    silent = [one.least_data for one in scores if one.least_data is not None]
    return Score(
        "all",
        **counted,
        least=min(spelled, default=None),
        least_data=min(silent, default=None),
        faults=tuple(fault for one in scores for fault in one.faults),
    )


def _whole(found: Found, example: Example, everything: Compiled) -> Callable[[str], str]:
    """What all rules together say: elsewhere it need not be the same one."""
    compiled = everything.plus(given.own_buckets(found, example, everything)) if example.parameters else everything
    world = given.GivenWorld(example.given)
    engine = Engine.of(compiled, given.given_facts(example.given))

    def said(spelled: str) -> str:
        request = given.request_of(example.model_copy(update={"run": spelled}), world)
        decision = engine.decide(request, world)
        return decision.action if not decision.rule.startswith("shell/") else f"{decision.action} by {decision.rule}"

    return said


def _otherwise(texts: Sequence[str], say: Callable[[str], str], wanted: Sequence[str], found: Found) -> list[str]:
    told = []
    for text in texts:
        said = say(text)
        if said not in wanted:
            told.append(f"{found.path}: respelled as {text!r}: expected {' or '.join(wanted)}, got {said}")
    return told


def _depends_on_input(found: Found) -> bool:
    facts = [*found.rule.unless.pairs(), *found.rule.when.pairs()]
    for match in found.rule.match:
        facts += [*match.unless.pairs(), *match.when.pairs()]
    return any(name in INPUT for name in facts)
