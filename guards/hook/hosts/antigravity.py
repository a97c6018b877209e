"""Antigravity CLI (by reports of a live test of 1.1.2): a JSON `decision`; nothing, or what it cannot read, makes it prompt.

`allow` does not skip its own prompt, so it is its word for no opinion. `force_ask` prompts even where the person once said always.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, name_at, object_at, text_at
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
NO_OPINION = '{"decision":"allow"}'
WORDS = {"deny": "deny", "ask": "force_ask"}


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A command; its folder is the first of the workspace when it names none."""
    tool_call = object_at(payload, "toolCall")
    if name_at(tool_call, "name") != "run_command":
        return None
    arguments = object_at(tool_call, "args")
    roots = payload.get("workspacePaths")
    root = roots[0] if isinstance(roots, list) and roots else ""
    where = {"cwd": arguments.get("Cwd"), "root": root, "session": payload.get("conversationId", "")}
    return Call(
        (caller.about(where, "session", "cwd", "root").replace(text=text_at(arguments, "CommandLine")),), "PreToolUse"
    )


def render(decision: Decision, call: Call | None) -> Reply:
    """Always one object."""
    del call
    if decision.action not in WORDS:
        return Reply(NO_OPINION)
    return Reply(encode({"decision": WORDS[decision.action], "reason": message.refusal(decision)}))
