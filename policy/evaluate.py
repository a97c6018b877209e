"""From a reading to candidates and outcomes: which rules match which invocations. On the hot path, and all of it for most requests.

Rules without facts speak first; facts are asked only where they could raise the action, strictest rules first, unless `thorough`.
What a match leads to (policy.conclude) is imported only when there is one.
"""

from __future__ import annotations

from policy.record import Record
from policy.rules.match import match
from policy.rules.match_effects import MAYBE, NO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from policy.compiled import Compiled, Rule
    from policy.model import Effect, Finding, Invocation, Reading, Request
    from policy.rules.fact import FactResult, Question
    from policy.world import World

    Ask = Callable[[str, Invocation, World, Question, Reading], FactResult]

RANK = {"pass": 0, "advice": 1, "allow": 2, "rewrite": 3, "ask": 4, "deny": 5}
SEVERITY = {"critical": 0, "high": 1, "normal": 2, "low": 3}
SAID_ASIDE = ("advice", "allow", "rewrite")
CUT = ("shell/too-large", "shell/too-deep")
WORK, FACT, FEW = 92_000, 20, 300
"""What reading a request and asking about it may cost in all, in the steps of policy.flow; what the facts of one alternative count.

A request whose reading was cut off already is asked about by now, so that no more than a refusal can come of it: few facts are asked then.
"""


class Candidate(Record):
    """A rule's alternative that matches an invocation as far as the text tells."""

    rule: Rule
    alternative: tuple[Any, ...]
    position: int
    verdict: int
    effects: tuple[Effect, ...]


class Outcome(Record):
    """What became of a candidate: its findings (none when a fact does not hold), and each fact's answer.

    `asked` False: it could not have raised the action, so it has no part in the decision; it was looked at only to be explained.
    """

    candidate: Candidate
    findings: tuple[Finding, ...] = ()
    facts: tuple[tuple[str, bool, FactResult], ...] = ()
    asked: bool = True


def read(request: Request, world: World, compiled: Compiled) -> Reading:
    """What the request would run."""
    from policy import flow

    return flow.read(request, world, compiled.grammars)


class Case(Record):
    """One request in its world: what every step of the evaluation needs."""

    compiled: Compiled
    ask: Ask
    request: Request
    world: World
    reading: Reading


def outcomes(case: Case) -> tuple[Outcome, ...]:
    """Every candidate with its findings; those that cannot change the answer any more are not asked."""
    done: list[Outcome] = []
    waiting: list[Candidate] = []
    best = 0
    matched = [
        found
        for position, invocation in enumerate(case.reading.invocations)
        for found in candidates(case, invocation, position, done)
    ]
    if not matched:
        return tuple(done)
    from policy import conclude, project

    for found in project.raised(case, matched):
        if found.alternative[1]:
            waiting.append(found)
        else:
            done.append(conclude.concluded(case, found, (), unsure=False))
            best = max(best, *(RANK[f.action] for f in done[-1].findings), 0)
    waiting.sort(key=lambda c: (-RANK[c.rule.action], SEVERITY[c.rule.severity]))
    settled: set[tuple[str, int]] = set()
    cut = [RANK[case.compiled.config["issues"].get(i.rule, "ask")] for i in case.reading.issues if i.rule in CUT]
    best, left = max(best, *cut, 0), FEW if cut else (WORK - case.reading.work) // FACT
    for found in waiting:
        place = (found.rule.id, found.position)
        if _idle(found.rule.action, best, said=place in settled):
            done.append(tuple.__new__(Outcome, (found, (), (), False)))
            continue
        left -= 1
        if left < 0:  # said once; what it leaves is as unasked as what is idle
            done.append(tuple.__new__(Outcome, (found, (), (), False)) if cut else conclude.too_many(case, found))
            cut = cut or [0]
            continue
        done.append(conclude.asked(case, found))
        if done[-1].findings:
            settled.add(place)
            best = max(best, *(RANK[f.action] for f in done[-1].findings))
    return tuple(done)


def everything(case: Case, found: tuple[Outcome, ...]) -> tuple[Outcome, ...]:
    """The same outcomes with the facts of all rules asked."""
    if all(one.asked for one in found):
        return found
    from policy import conclude

    return tuple(one if one.asked else conclude.asked(case, one.candidate).replace(asked=False) for one in found)


def _idle(action: str, best: int, *, said: bool) -> bool:
    """Whether a rule's facts could no longer change the answer."""
    if action in SAID_ASIDE and best < RANK["ask"]:
        return said
    return RANK[action] <= best


def candidates(case: Case, invocation: Invocation, position: int, done: list[Outcome]) -> Iterator[Candidate]:
    """The alternatives that match; one that breaks becomes an outcome in `done` at once."""
    for key in _keys(invocation):
        for rule in case.compiled.bucket(key):
            for alternative in rule.alternatives:
                try:
                    verdict, effects = match(alternative[0], invocation, case.request)
                except Exception as error:  # noqa: BLE001  -- a rule that breaks must not be silent
                    from policy.conclude import failed

                    done.append(Outcome(Candidate(rule, alternative, position, MAYBE, ()), (failed(error, rule.id),)))
                    continue
                if verdict != NO:
                    yield tuple.__new__(Candidate, (rule, alternative, position, verdict, effects))


def _keys(invocation: Invocation) -> list[str]:
    keys = [invocation.program, "*"]
    if invocation.subcommand:
        keys.append(f"{invocation.program} {invocation.subcommand}")
    if invocation.environment:
        keys.append("environment")
    if invocation.path:
        keys.append("path")
    if invocation.piped_from or invocation.piped_to:
        keys.append("pipe")
    keys += {f"effect:{e.kind}": None for e in (*invocation.effects, *invocation.redirects)}
    return keys
