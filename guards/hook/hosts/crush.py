"""Crush (by its documentation): exit 2 denies; `context` is advice for the model. Exit 49 would halt the agent.

A rewrite without a decision is not measured, so none is given.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, command_at, name_at, object_at, placed
from guards.hook.envelope import blocked
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command."""
    event = name_at(payload, "event")
    if event != "PreToolUse" or name_at(payload, "tool_name") != "bash":
        return None
    arguments = object_at(payload, "tool_input")
    text, _ = command_at(arguments)
    return Call((placed(caller.about(payload), arguments).replace(text=text, dialect="bash"),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2, advice, or silence."""
    del call
    if decision.action in ("deny", "ask"):
        return blocked(message.refusal(decision))
    return Reply(encode({"context": message.advice(decision)}) if decision.advice else "")
