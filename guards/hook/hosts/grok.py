"""Grok CLI (by reports of 0.2.106): a camelCase payload; exit 2 blocks."""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, command_at, object_at, placed, text_at
from guards.hook.envelope import blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """Any tool whose input holds a command."""
    arguments = object_at(payload, "toolInput")
    if "command" not in arguments and payload.get("toolName") not in ("Bash", "bash", None):
        return None
    text, _ = command_at(arguments)
    where = {
        "cwd": payload.get("cwd"),
        "root": payload.get("workspaceRoot"),
        "session": text_at(payload, "sessionId", default=""),
    }
    return Call((placed(caller.about(where, "session", "cwd", "root"), arguments).replace(text=text),), "PreToolUse")


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2, or silence."""
    del call
    return blocked(message.refusal(decision)) if decision.action in ("deny", "ask") else Reply()
