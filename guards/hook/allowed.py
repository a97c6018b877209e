"""A refusal that a person may lift: the code for it goes to the person, and what they have allowed passes once."""

from __future__ import annotations

from policy.model import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.hook.judge import Verdict
    from guards.layout import Layout
    from policy.model import Finding, Request

LONGEST = 8000
"""Letters of a request that gets a code; a person cannot judge a longer one at a glance."""


def considered(layout: Layout, request: Request, verdict: Verdict, *, asks: bool) -> Verdict:
    """The verdict after what a person has allowed, or with the code that they may allow it by.

    Final rules and the guard's own failures are not to be lifted; where a person is asked anyway they need no code.
    """
    decision = verdict.decision
    refused = decision.action == "deny" or (decision.action == "ask" and not asks)
    if verdict.observed or not refused or request.cwd is None or not _liftable(decision.findings):
        return verdict
    from guards import codes, grants, session

    asked, who = _asked(request), session.current(request.environment) or request.session
    if grants.take(layout, decision.rule, asked, request.cwd, who):
        return _lifted(layout, request, verdict)
    short = sum(map(len, asked)) <= LONGEST
    code = codes.offer(layout, (decision.rule,), asked, request.cwd, who) if short else ""
    if not code:
        return verdict
    note = f"gatepost: {decision.rule} refused a command; `gatepost allow-once {code}` lets it pass once."
    return verdict.replace(decision=decision.replace(note=f"{decision.note}\n{note}".strip()))


def _lifted(layout: Layout, request: Request, verdict: Verdict) -> Verdict:
    """The request passes, with a grant for the shim behind each of its commands; not when a final rule speaks against it as well."""
    from guards.hook.judge import everything_against

    findings, grantable = everything_against(request, layout)
    if not _liftable(findings):
        return verdict
    passed = Decision(rule=verdict.decision.rule, reason="a person allowed it once", advice=verdict.decision.advice)
    return verdict.replace(decision=passed, escaped=grantable, asked=())


def _liftable(findings: tuple[Finding, ...]) -> bool:
    against = [finding for finding in findings if finding.action in ("ask", "deny")]
    return bool(against) and not any(finding.final or finding.rule.startswith("gatepost/") for finding in against)


def _asked(request: Request) -> tuple[str, ...]:
    """The request as the argv of a code."""
    if request.tool != "shell":
        return request.tool, request.path or "", request.content or ""
    return "request", request.text
