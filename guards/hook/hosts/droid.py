"""Factory Droid (read in 0.215): Claude's payload with the tool Execute.

The first hook with any JSON decision wins, so a deny is exit 2, which is looked at over all hooks. Exit 3 would end the whole agent.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, command_at, name_at, object_at, placed
from guards.hook.envelope import blocked, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
SHELL_TOOL = "Execute"


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command."""
    event = name_at(payload, "hook_event_name", default="PreToolUse")
    if event != "PreToolUse" or name_at(payload, "tool_name") != SHELL_TOOL:
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload), arguments).replace(text=text),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2 for a deny and for what could not be read, JSON for an ask."""
    if decision.action == "deny" or (decision.action == "ask" and call is None):
        return blocked(message.refusal(decision))
    if decision.action != "ask":
        return Reply()
    return nested("PreToolUse", {"permissionDecision": "ask", "permissionDecisionReason": message.refusal(decision)})
