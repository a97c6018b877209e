"""What follows from a call: each request judged and logged, grants left for what a person lifts, one decision for the host."""

from __future__ import annotations

from guards.audit import record
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

TRY = "gatepost-doctor"
"""The session of requests that are only a try of ours."""


def settled(call: Call, layout: Layout, judge: Judge | None = None, *, asks: bool) -> Decision:
    """The strictest decision over the call's requests, each logged; `asks` tells whether a person can answer an ask."""
    decisions = []
    problems: tuple[str, ...] = ()
    _enter(layout, call.requests[0])
    for request in call.requests:
        verdict = considered(layout, request, (judge or installed)(request, layout), asks=asks)
        _log(layout, request, verdict)
        problems = problems or verdict.problems
        lifted = verdict.escaped + (verdict.asked if asks else ())
        if lifted:
            _leave(layout, request, lifted)
        decisions.append(Decision() if verdict.observed else _repeated(layout, request, verdict.decision))
    return _told(layout, strictest(decisions), problems) if problems else strictest(decisions)


def _told(layout: Layout, decision: Decision, problems: tuple[str, ...]) -> Decision:
    """The decision with a word to the person about files of theirs that could not be used; once after each compile."""
    from guards.hook.problems import untold

    note = untold(layout, problems)
    return decision.replace(note=f"{decision.note}\n{note}".strip()) if note else decision


def considered(layout: Layout, request: Request, verdict: Verdict, *, asks: bool) -> Verdict:
    """The verdict after what a person has allowed, or with the code that they may allow it by."""
    if verdict.decision.action not in ("ask", "deny"):
        return verdict
    from guards.hook import allowed

    return allowed.considered(layout, request, verdict, asks=asks)


def _enter(layout: Layout, request: Request) -> None:
    """Let other sessions' rules see the agent that called, unless `gatepost run` has entered it or it is the doctor's try.

    They ask it about repositories only, so an agent that speaks of none need not pay for it.
    """
    if not request.session or request.session == TRY or not any(name in request.text for name in ("git", "jj")):
        return
    from guards import session, sessions

    if not session.current(request.environment):
        sessions.note(layout, request.session, request.cwd or "")


def _log(layout: Layout, request: Request, verdict: Verdict) -> None:
    """One line. A log that cannot be written turns silence into a question, and changes nothing that is loud already."""
    try:
        record(layout, request, verdict.decision, observed=verdict.observed)
    except OSError as error:
        if verdict.observed or verdict.decision.action not in ("ask", "deny"):
            from guards.hook.failure import Unlogged

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
