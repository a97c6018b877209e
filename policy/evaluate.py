"""From a reading to findings: which rules match which invocations, and what their facts say. On the hot path.

Rules without facts speak first; facts are asked only where they could raise the action, strictest rules first, unless `thorough`.
"""

from __future__ import annotations

from policy import wording
from policy.model import Finding, Reading
from policy.record import Record
from policy.rules.fact import Question
from policy.rules.match import MAYBE, NO, YES, match
from policy.rules.predicates import ANYWHERE
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from policy.compiled import Compiled, Rule
    from policy.model import Effect, Invocation, Request
    from policy.rules.fact import FactResult
    from policy.world import World

    Ask = Callable[[str, Invocation, World, Question, Reading], FactResult]

RANK = {"pass": 0, "advice": 1, "allow": 2, "rewrite": 3, "ask": 4, "deny": 5}
SAID_ASIDE = ("advice", "allow", "rewrite")


class Candidate(Record):
    """A rule's alternative that matches an invocation as far as the text tells."""

    rule: Rule
    alternative: tuple[Any, ...]
    position: int
    verdict: int
    effects: tuple[Effect, ...]


class Outcome(Record):
    """What became of a candidate: its findings (none when a fact does not hold), and each fact's answer. `asked` False: it could not have mattered."""

    candidate: Candidate
    findings: tuple[Finding, ...] = ()
    facts: tuple[tuple[str, bool, FactResult], ...] = ()
    asked: bool = True


def read(request: Request, world: World, compiled: Compiled) -> Reading:
    """What the request would run."""
    from policy import flow

    return flow.read(request, world, compiled.grammars)


def issues(reading: Reading, config: dict[str, Any]) -> tuple[Finding, ...]:
    """What could not be read or followed, under the decision that the configuration gives it."""
    decisions = config["issues"]
    return tuple(
        Finding(issue.rule, decisions.get(issue.rule, "ask"), wording.issue(issue), sure=False)
        for issue in reading.issues
        if decisions.get(issue.rule, "ask") != "pass"
    )


def failed(error: Exception, rule: str = "gatepost/error") -> Finding:
    """The finding for something that broke while judging."""
    return Finding(
        rule,
        "ask",
        f"this could not be judged, something failed inside gatepost ({wording.quote(repr(error))})",
        sure=False,
    )


class Case(Record):
    """One request in its world: what every step of the evaluation needs."""

    compiled: Compiled
    ask: Ask
    request: Request
    world: World
    reading: Reading


def outcomes(case: Case, *, thorough: bool) -> tuple[Outcome, ...]:
    """Every candidate with its findings."""
    done: list[Outcome] = []
    waiting: list[Candidate] = []
    best = 0
    for position, invocation in enumerate(case.reading.invocations):
        for found in candidates(case, invocation, position, done):
            if found.alternative[1]:
                waiting.append(found)
            else:
                done.append(_concluded(case, found, (), unsure=False))
                best = max(best, *(RANK[f.action] for f in done[-1].findings), 0)
    waiting.sort(key=lambda c: -RANK[c.rule.action])
    settled: set[tuple[str, int]] = set()
    for found in waiting:
        place = (found.rule.id, found.position)
        if not thorough and _idle(found.rule.action, best, said=place in settled):
            done.append(Outcome(found, asked=False))
            continue
        done.append(_asked(case, found))
        if done[-1].findings:
            settled.add(place)
            best = max(best, *(RANK[f.action] for f in done[-1].findings))
    return tuple(done)


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
                    done.append(Outcome(Candidate(rule, alternative, position, MAYBE, ()), (failed(error, rule.id),)))
                    continue
                if verdict != NO:
                    yield Candidate(rule, alternative, position, verdict, effects)


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


def _asked(case: Case, found: Candidate) -> Outcome:
    """The candidate's facts, in order, until one does not hold."""
    invocation = case.reading.invocations[found.position]
    facts: list[tuple[str, bool, FactResult]] = []
    extra: list[Finding] = []
    unsure, effects = False, found.effects
    for name, value, negated in found.alternative[1]:
        question = Question(value, effects, case.request, case.compiled.config["settings"], found.position)
        if invocation.place != "local" and name not in ANYWHERE:
            unsure = True
            continue
        try:
            result = case.ask(name, invocation, case.world, question, case.reading)
        except Unanswered as error:
            extra.append(
                Finding(
                    "world/unknown", "ask", f"{name} could not be found out: {wording.quote(str(error))}", sure=False
                )
            )
            unsure = True
            continue
        except Exception as error:  # noqa: BLE001  -- a fact that breaks must not be silent
            return Outcome(found, (failed(error, found.rule.id),), tuple(facts))
        facts.append((name, negated, result))
        if result.held is None:
            unsure = True
        elif result.held is negated:
            return Outcome(found, (), tuple(facts))
        if result.effects:
            effects = result.effects
    outcome = _concluded(case, found.replace(effects=effects), tuple(facts), unsure=unsure)
    return outcome.replace(findings=(*outcome.findings, *extra))


def _concluded(
    case: Case, found: Candidate, facts: tuple[tuple[str, bool, FactResult], ...], *, unsure: bool
) -> Outcome:
    rule, invocation = found.rule, case.reading.invocations[found.position]
    sure = found.verdict == YES and not unsure
    action = rule.action if sure or RANK[rule.maybe] > RANK[rule.action] else rule.maybe
    if action == "pass":
        return Outcome(found, (), facts)
    said = wording.Said(
        rule,
        invocation,
        found.effects,
        tuple(f for _, negated, f in facts if not negated),
        found.alternative[2],
        case.request,
    )
    told = said.text(rule.advice)
    reason = told if action == "advice" and told else wording.reason(said, sure=sure)
    finding = Finding(
        rule.id, action, reason, said.instead(), found.position, invocation.cwd, sure,
        rule.translate, rule.severity, rule.final, rule.escape,
    )  # fmt: skip
    beside = (finding.replace(action="advice", reason=told),) if told and action != "advice" else ()
    return Outcome(found, (finding, *beside), facts)
