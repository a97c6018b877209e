"""Qwen Code (measured with 0.24.4): Claude's envelope for deny and ask. A rewrite is ignored and advice reaches nobody, so neither is given."""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, command_at, name_at, object_at, placed
from guards.hook.envelope import nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
SHELL_TOOL = "run_shell_command"


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command."""
    event = name_at(payload, "hook_event_name")
    if event != "PreToolUse" or name_at(payload, "tool_name") != SHELL_TOOL:
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload), arguments).replace(text=text),), event, arguments)


def render(decision: Decision, call: Call | None) -> Reply:
    """A deny or an ask, else silence."""
    del call
    if decision.action not in ("deny", "ask"):
        return Reply()
    output = {"permissionDecision": decision.action, "permissionDecisionReason": message.refusal(decision)}
    return nested("PreToolUse", output)
