"""Goose (by its documentation): exit 2 blocks; no ask, rewrite or advice."""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, command_at, name_at, object_at, placed
from guards.hook.envelope import blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False
SHELL_TOOLS = ("developer__shell", "shell")


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command."""
    event = name_at(payload, "event")
    if event != "PreToolUse" or name_at(payload, "tool_name") not in SHELL_TOOLS:
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload, "session_id", "working_dir"), arguments).replace(text=text),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2, or silence."""
    del call
    return blocked(message.refusal(decision)) if decision.action in ("deny", "ask") else Reply()
