"""Kimi Code 2.1 (measured) and the older kimi-cli: only a block is honoured.

Ask, allow, rewrite and advice are ignored and the command runs, so an ask is a deny and the rest is silence. A block is exit 2, which a
noisy shell profile cannot spoil.
"""

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
SHELL_TOOLS = ("Bash", "Shell")


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command."""
    event = name_at(payload, "hook_event_name")
    if event != "PreToolUse" or name_at(payload, "tool_name") not in SHELL_TOOLS:
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload), arguments).replace(text=text),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2, or silence."""
    del call
    return blocked(message.refusal(decision)) if decision.action in ("deny", "ask") else Reply()
