"""From a request to a verdict with the installed rules and the real world."""

from __future__ import annotations

from guards.judging import engine, world
from policy.model import ACTIONS, Decision
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.layout import Layout
    from policy.engine import Explanation
    from policy.model import Finding, Request


class Grantable(Record):
    """What a shim may let through once when a person says yes, or has said it in a comment: `rule` against `argv` in `cwd`."""

    rule: str
    argv: tuple[str, ...]
    cwd: str


class Verdict(Record):
    """A decision and what goes with it.

    escaped   what a comment in the request has lifted already
    asked     what a person lifts by answering an ask
    observed  the profile says to log the decision and not to answer
    problems  what of the person's own files could not be used when the rules were compiled
    """

    decision: Decision
    escaped: tuple[Grantable, ...] = ()
    asked: tuple[Grantable, ...] = ()
    observed: bool = False
    problems: tuple[str, ...] = ()


def judge(request: Request, layout: Layout) -> Verdict:
    """The installed engine's verdict. Raises CompiledError when its compiled rules cannot be used."""
    judged, outside = engine(layout, request.cwd), world(request, layout)
    found = judged.answered(request, outside)
    decision = found.decision
    observed = judged.compiled.config.get("profile") == "observe"
    problems = judged.compiled.config["problems"]
    lifted = any(finding.escape and finding.action == "pass" for finding in decision.findings)
    if observed or not (lifted or decision.action == "ask"):
        return Verdict(decision, observed=observed, problems=problems)
    left = not all(one.asked for one in found.outcomes)
    if left and decision.rule != "shell/too-large":  # a person's word is on all that speaks against it
        found = judged.explain(request, outside)
    return Verdict(
        decision,
        tuple(_grantable(found, "pass")),
        tuple(_grantable(found, "ask")) if decision.action == "ask" else (),
        problems=problems,
    )


def everything_against(request: Request, layout: Layout) -> tuple[tuple[Finding, ...], tuple[Grantable, ...]]:
    """All that any rule has against the request, and as much of it as can be granted."""
    found = engine(layout, request.cwd).explain(request, world(request, layout))
    granted = tuple(one for action in ("deny", "ask", "pass") for one in _grantable(found, action))
    return found.decision.findings, granted


def _grantable(found: Explanation, action: str) -> Iterator[Grantable]:
    """The findings of an action whose command is known to the last word; "pass" are those that an escape lifted."""
    for finding in found.decision.findings:
        if finding.action != action or finding.invocation is None or (action == "pass" and not finding.escape):
            continue
        invocation = found.reading.invocations[finding.invocation]
        argv = tuple(word.text for word in invocation.words if word.text is not None and not word.glob)
        if invocation.cwd and len(argv) == len(invocation.words):
            yield Grantable(finding.rule, argv, invocation.cwd)


def strictest(decisions: list[Decision]) -> Decision:
    """The one that wins over the requests of a call, with the advice of all. A rewrite of one among several has no place."""
    if len(decisions) == 1:
        return decisions[0]
    winner = max(decisions, key=lambda decision: ACTIONS.index(decision.action))
    advice = tuple(dict.fromkeys(text for decision in decisions for text in decision.advice))
    findings = tuple(finding for decision in decisions for finding in decision.findings)
    action = winner.action
    if action == "rewrite" or (action == "allow" and any(decision.action != "allow" for decision in decisions)):
        action = "pass"  # allow speaks only for a whole call
    return winner.replace(action=action, advice=advice, findings=findings, rewrite=None)
