"""From a request to a decision with the installed rules and the real world."""

from __future__ import annotations

from policy.model import ACTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.world import RealWorld
    from policy.model import Decision, Request


def judge(request: Request, layout: Layout) -> Decision:
    """The installed engine's decision. Raises CompiledError when its compiled rules cannot be used."""
    from policy.engine import Engine

    return Engine.load(layout.compiled).decide(request, world(request, layout))


def world(request: Request, layout: Layout) -> RealWorld:
    """The outside as the request's commands would see it; our own shims are no programs."""
    from guards.world import RealWorld

    return RealWorld(request.environment, request.home or "", hidden=(f"{layout.prefix}/shims",))


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
