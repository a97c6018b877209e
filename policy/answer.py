"""From findings to the one Decision: escapes, precedence, rewrites, and suggestions that were judged themselves. On the hot path."""

from __future__ import annotations

from policy import conclude
from policy.evaluate import SEVERITY
from policy.model import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from policy.evaluate import Case, Outcome
    from policy.model import Finding, Reading, Request

    Again = Callable[[Request], Decision]

LED = {"remote": "ssh there ", "container": "docker exec there sh -c "}
"""What leads to another place, so that a suggestion for it is judged as it would run there, not in what stands here."""
ORDER = ("deny", "ask", "rewrite", "allow")


def decide(case: Case, outcomes: tuple[Outcome, ...], again: Again | None) -> Decision:
    """The decision over what became of the rules and what could not be read; `again` judges rewrites and suggestions, None leaves them as they are.

    Findings of rules that were asked only to be complete are among the decision's, and change nothing in it.
    """
    reading, config = case.reading, case.compiled.config
    findings = (*conclude.issues(reading, config), *(f for o in outcomes if o.asked for f in o.findings))
    idle = tuple(f for o in outcomes if not o.asked for f in o.findings)
    if "gatepost: allow " in case.request.text:
        from policy import escape

        findings, idle = escape.lifted(findings, reading), escape.lifted(idle, reading)
    decision = resolve(findings, len(reading.invocations))
    if again is not None and decision.action != "pass":
        decision = complete(decision, case, outcomes, again)
    return decision.replace(findings=(*decision.findings, *idle)) if idle else decision


def failure(error: Exception) -> Decision:
    """The decision when judging itself broke."""
    return resolve((conclude.failed(error),), 1)


def resolve(findings: tuple[Finding, ...], invocations: int) -> Decision:
    """The strictest finding's action. Allow is given only when every command is covered; advice travels beside whatever wins."""
    advice = tuple(dict.fromkeys(f.reason for f in findings if f.action == "advice"))
    action = next((a for a in ORDER if any(f.action == a for f in findings)), "pass")
    if action == "allow" and len({f.invocation for f in findings if f.action == "allow"}) < invocations:
        action = "pass"
    if action == "pass":
        told = next((f.rule for f in findings if f.action == "advice"), "")
        return Decision(rule=told, advice=advice, findings=findings)
    first = min(
        (f for f in findings if f.action == action),
        key=lambda f: (not f.final, SEVERITY[f.severity], not f.sure, f.invocation or 0),
    )
    return Decision(action, first.rule, first.reason, first.instead, advice, None, findings)


def complete(decision: Decision, case: Case, outcomes: tuple[Outcome, ...], again: Again) -> Decision:
    """The decision with its rewrite carried out and judged, and only those suggestions that would pass in the same world.

    Where none of the winner's would, those of another rule that refuses the same command: in a jj repository no git form helps.
    """
    request, reading = case.request, case.reading
    if decision.action == "rewrite":
        return _rewritten(decision, request, reading, case.compiled.config, again)
    from policy import wording

    first = next(f for f in decision.findings if f.rule == decision.rule and f.reason == decision.reason)
    place = "local" if first.invocation is None else reading.invocations[first.invocation].place
    led = LED.get(place)
    plain = request.replace(argv=None, tool="shell", path=None, content=None, dialect="bash")

    def passing(texts: tuple[str, ...]) -> tuple[str, ...]:
        asked = texts if led is None else tuple(led + wording.shell_quote(text) for text in texts)
        answers = [again(plain.replace(text=text)).action for text in asked]
        return tuple(text for text, action in zip(texts, answers, strict=True) if action not in ("deny", "ask"))

    kept = passing(decision.instead)
    if not kept and decision.action in ("deny", "ask"):
        beside = (passing(finding.instead) for finding in _beside(first, case, outcomes))
        kept = next((texts for texts in beside if texts), ())
    return decision.replace(instead=kept, there=place if kept and led else "")


def _beside(first: Finding, case: Case, outcomes: tuple[Outcome, ...]) -> Iterator[Finding]:
    """What other rules as strict have against the same command."""
    for one in outcomes:
        if one.candidate.rule.action == first.action and one.candidate.position == first.invocation:
            yield from (one if one.asked else conclude.asked(case, one.candidate)).findings


def _rewritten(
    decision: Decision, request: Request, reading: Reading, config: dict[str, Any], again: Again
) -> Decision:
    from policy import splice

    text = splice.rewritten(decision.findings, request, reading, config)
    rest = tuple(f for f in decision.findings if f.action != "rewrite")
    if text is None:
        return resolve(rest, len(reading.invocations))
    verdict = again(request.replace(text=text))
    if verdict.action in ("deny", "ask"):
        return verdict.replace(advice=decision.advice)
    return decision.replace(rewrite=text)
