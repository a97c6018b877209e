"""GitHub Copilot CLI (measured with 1.0.102).

The event `preToolUse` sends camelCase and reads a flat answer, in which a rewrite (`modifiedArgs`) needs no decision. `PreToolUse` sends
Claude's names and reads Claude's envelope; the flat answer is ignored there and the other way round. Exit 2 denies in both.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, Unreadable, command_at, name_at, object_at, placed
from guards.hook.envelope import blocked, nested
from guards.wire import Malformed, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
SHELL_TOOLS = {"bash": "unknown", "Bash": "unknown", "powershell": "powershell", "PowerShell": "powershell"}
FLAT = "preToolUse"


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command in either spelling; older versions send `toolArgs` as JSON text."""
    if "toolName" not in payload:
        event = name_at(payload, "hook_event_name")
        tool, arguments, session = name_at(payload, "tool_name"), payload.get("tool_input"), "session_id"
    else:
        event, tool, arguments, session = FLAT, name_at(payload, "toolName"), payload.get("toolArgs"), "sessionId"
    if event not in (FLAT, "PreToolUse") or tool not in SHELL_TOOLS:
        return None
    if isinstance(arguments, str):
        try:
            arguments = decode(arguments)
        except Malformed as error:
            raise Unreadable(f"`toolArgs`: {error}") from None
    found = object_at({"arguments": arguments}, "arguments")
    text, key = command_at(found)
    return Call(
        (placed(caller.about(payload, session), found).replace(text=text, dialect=SHELL_TOOLS[tool]),),
        event,
        found,
        key,
    )


def render(decision: Decision, call: Call | None) -> Reply:
    """Flat or nested, as the event wants; exit 2 where the event could not be read."""
    refused = decision.action in ("deny", "ask")
    if call is None:
        return blocked(message.refusal(decision)) if refused else Reply()
    output: dict[str, Any] = {}
    if refused:
        output = {"permissionDecision": decision.action, "permissionDecisionReason": message.refusal(decision)}
    elif decision.action == "allow":
        output["permissionDecision"] = "allow"
    if decision.action != "deny" and decision.advice:
        output["additionalContext"] = message.advice(decision)
    if call.event != FLAT:
        return nested(call.event, output)
    if decision.rewrite is not None and call.key and decision.action in ("ask", "rewrite"):
        output["modifiedArgs"] = {**call.arguments, call.key: decision.rewrite}
    return Reply(encode(output) if output else "")
