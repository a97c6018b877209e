"""What follows from a call: each request judged and logged, grants left for what a person lifts, one decision for the host."""

from __future__ import annotations

from guards.audit import record
from guards.hook.failure import Unlogged
from guards.hook.judge import judge as installed
from guards.hook.judge import strictest
from policy.model import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.hook.call import Call
    from guards.hook.judge import Grantable, Verdict
    from guards.layout import Layout
    from policy.model import Request

    Judge = Callable[[Request, Layout], Verdict]


def settled(call: Call, layout: Layout, judge: Judge | None = None, *, asks: bool) -> Decision:
    """The strictest decision over the call's requests, each logged; `asks` tells whether a person can answer an ask."""
    decisions = []
    for request in call.requests:
        verdict = (judge or installed)(request, layout)
        _log(layout, request, verdict)
        lifted = verdict.escaped + (verdict.asked if asks else ())
        if lifted:
            _leave(layout, request, lifted)
        decisions.append(Decision() if verdict.observed else _repeated(layout, request, verdict.decision))
    return strictest(decisions)


def _log(layout: Layout, request: Request, verdict: Verdict) -> None:
    """One line. A log that cannot be written turns silence into a question, and changes nothing that is loud already."""
    try:
        record(layout, request, verdict.decision, observed=verdict.observed)
    except OSError as error:
        if verdict.observed or verdict.decision.action not in ("ask", "deny"):
            raise Unlogged(str(error)) from error


def _leave(layout: Layout, request: Request, lifted: tuple[Grantable, ...]) -> None:
    """A grant for the shim behind each command that a person lets pass; without one the shim refuses it."""
    from guards import grants, session

    for one in lifted:
        grants.leave(layout, one.rule, one.argv, one.cwd, session.current(request.environment) or request.session)


def _repeated(layout: Layout, request: Request, decision: Decision) -> Decision:
    if decision.action != "deny":
        return decision
    from guards.hook.repeats import escalated

    return escalated(layout, request, decision)
