"""What a match leads to: its facts asked, its finding worded; and the findings for what could not be read or went wrong.

Most facts do not hold: the words for a finding are imported when there is one.
"""

from __future__ import annotations

from policy.evaluate import RANK, Outcome
from policy.model import Finding
from policy.rules.fact import Question
from policy.rules.match_effects import YES
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.evaluate import Candidate, Case
    from policy.model import Reading
    from policy.rules.fact import FactResult


def issues(reading: Reading, config: dict[str, Any]) -> tuple[Finding, ...]:
    """What could not be read or followed, under the decision that the configuration gives it."""
    if not reading.issues:
        return ()
    from policy import wording

    decisions = config["issues"]
    return tuple(
        Finding(issue.rule, decisions.get(issue.rule, "ask"), wording.issue(issue), sure=False)
        for issue in reading.issues
        if decisions.get(issue.rule, "ask") != "pass"
    )


def too_many(case: Case, found: Candidate) -> Outcome:
    """What is said of a request for which more facts would have to be found out than one may ask."""
    from policy import wording
    from policy.model import Issue

    issue = Issue("shell/too-large", "more commands than rules can be asked about")
    action = case.compiled.config["issues"].get(issue.rule, "ask")
    return Outcome(found, (Finding(issue.rule, action, wording.issue(issue), sure=False),) if action != "pass" else ())


def failed(error: Exception, rule: str = "gatepost/error") -> Finding:
    """The finding for something that broke while judging."""
    from policy import wording

    return Finding(
        rule,
        "ask",
        f"this could not be judged, something failed inside gatepost ({wording.quote(repr(error))})",
        sure=False,
    )


def asked(case: Case, found: Candidate) -> Outcome:
    """The candidate's facts, in order, until one does not hold."""
    invocation = case.reading.invocations[found.position]
    if invocation.place != "local" or (invocation.cwd is None and invocation.program == "git" and _of_state(found)):
        from policy import away

        return away.asked(case, found)
    facts: list[tuple[str, bool, FactResult]] = []
    extra: list[Finding] = []
    unsure, effects, settings = False, found.effects, case.compiled.config["settings"]
    for name, value, negated in found.alternative[1]:
        question = tuple.__new__(Question, (value, effects, case.request, settings, found.position))
        try:
            result = case.ask(name, invocation, case.world, question, case.reading)
        except Unanswered as error:
            # where the directory is not known yet, a soft rule waits for the shim, which judges the command when it runs
            if invocation.cwd is not None or found.rule.maybe != "pass":
                extra.append(_unanswered(case, found, error))
            unsure = True
            continue
        except Exception as error:  # noqa: BLE001  -- a fact that breaks must not be silent
            return Outcome(found, (failed(error, found.rule.id),), tuple(facts))
        facts.append((name, negated, result))
        if result.held is None:
            unsure = True
        elif result.held is negated:
            return tuple.__new__(Outcome, (found, (), tuple(facts), True))
        if result.effects:
            effects = result.effects
    outcome = concluded(case, found.replace(effects=effects), tuple(facts), unsure=unsure)
    return outcome.replace(findings=(*outcome.findings, *extra))


def _of_state(found: Candidate) -> bool:
    """Whether it hangs on the state of a repository: in a directory that is not known that is as open as on another machine."""
    return any(name in ("would_lose", "pushes") for name, _, _ in found.alternative[1])


def _unanswered(case: Case, found: Candidate, error: Unanswered) -> Finding:
    from policy import wording

    action = case.compiled.config["issues"]["world/unknown"]
    told = wording.unanswered(case.reading.invocations[found.position], found.rule, str(error))
    return Finding("world/unknown", action, told, sure=False)


def concluded(
    case: Case, found: Candidate, facts: tuple[tuple[str, bool, FactResult], ...], *, unsure: bool
) -> Outcome:
    """What a rule that hit comes to: its finding, and the advice that travels beside it. What is not sure takes the rule's answer for maybe."""
    rule, invocation = found.rule, case.reading.invocations[found.position]
    sure = found.verdict == YES and not unsure
    action = rule.action if sure or RANK[rule.maybe] > RANK[rule.action] else rule.maybe
    if action == "pass":
        return Outcome(found, (), facts)
    from policy import wording

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
        rule.translate, rule.severity, rule.final, rule.escape, rule.rewrite,
    )  # fmt: skip
    beside = (finding.replace(action="advice", reason=told),) if told and action != "advice" else ()
    return Outcome(found, (finding, *beside), facts)
