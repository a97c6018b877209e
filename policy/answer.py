"""From findings to the one Decision: escapes, precedence, rewrites, and suggestions that were judged themselves. On the hot path."""

from __future__ import annotations

from policy import conclude
from policy.evaluate import SEVERITY
from policy.model import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy.evaluate import Case
    from policy.model import Finding, Reading, Request

    Again = Callable[[Request], Decision]

ORDER = ("deny", "ask", "rewrite", "allow")


def decide(case: Case, findings: tuple[Finding, ...], again: Again | None) -> Decision:
    """The decision over the findings of rules and what could not be read; `again` judges rewrites and suggestions, None leaves them as they are."""
    reading, config = case.reading, case.compiled.config
    findings = (*conclude.issues(reading, config), *findings)
    if "gatepost: allow " in case.request.text:
        from policy import escape

        findings = escape.lifted(findings, reading)
    decision = resolve(findings, len(reading.invocations))
    if again is None or decision.action == "pass":
        return decision
    return complete(decision, case.request, reading, config, again)


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


def complete(decision: Decision, request: Request, reading: Reading, config: dict[str, Any], again: Again) -> Decision:
    """The decision with its rewrite carried out and judged, and only those suggestions that would pass in the same world."""
    if decision.action == "rewrite":
        return _rewritten(decision, request, reading, config, again)
    first = next(f for f in decision.findings if f.rule == decision.rule and f.reason == decision.reason)
    where = first.where or request.cwd
    plain = request.replace(argv=None, tool="shell", path=None, content=None, cwd=where, dialect="bash")
    kept = tuple(text for text in decision.instead if again(plain.replace(text=text)).action not in ("deny", "ask"))
    return decision.replace(instead=kept)


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
