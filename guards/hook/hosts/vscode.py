"""VS Code's own agent harness ("Local"; by its documentation): a payload of mixed case, Claude's envelope back.

Whether a rewrite is read without an approval is not known, so none is given. Sessions of other harnesses use those hosts' protocols.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, command_at, name_at, object_at, placed
from guards.hook.envelope import nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.call import Reply
    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
SHELL_TOOL = "run_in_terminal"


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A command for the terminal."""
    event = name_at(payload, "hookEventName" if "hookEventName" in payload else "hook_event_name")
    if event != "PreToolUse" or name_at(payload, "tool_name") != SHELL_TOOL:
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload, "sessionId"), arguments).replace(text=text),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """A deny or an ask, advice, or silence."""
    del call
    output: dict[str, Any] = {}
    if decision.action in ("deny", "ask"):
        output = {"permissionDecision": decision.action, "permissionDecisionReason": message.refusal(decision)}
    elif decision.advice:
        output = {"additionalContext": message.advice(decision)}
    return nested("PreToolUse", output, decision.note)
