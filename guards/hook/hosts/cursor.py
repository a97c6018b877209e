"""Cursor 3 (by reports of live runs): beforeShellExecution, a flat answer that must never be empty.

With `failClosed` an empty answer blocks; `allow` does not skip Cursor's own prompt, so it is its word for no opinion. The model is given
`user_message`. `ask` shows no dialog, and the event knows no rewrite and no advice.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, name_at, object_at, placed, text_at
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision, Request

ASKS = False
SESSION = "conversation_id"
NO_OPINION = '{"permission":"allow"}'


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command; its folder is the first of the workspace when `cwd` is empty."""
    event = name_at(payload, "hook_event_name")
    if event == "beforeShellExecution":
        return Call((_about(payload, caller).replace(text=text_at(payload, "command")),), event)
    if event == "preToolUse" and name_at(payload, "tool_name") == "Shell":
        arguments = object_at(payload, "tool_input")
        about = placed(_about(payload, caller), arguments)
        return Call((about.replace(text=text_at(arguments, "command")),), event)
    return None


def _about(payload: Mapping[str, Any], caller: Caller) -> Request:
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots else ""
    folders = {"cwd": payload.get("cwd"), "root": root, SESSION: payload.get(SESSION, "")}
    return caller.about(folders, SESSION, "cwd", "root")


def render(decision: Decision, call: Call | None) -> Reply:
    """A deny with the reason in both messages, else the word for no opinion."""
    del call
    if decision.action not in ("deny", "ask"):
        return Reply(NO_OPINION)
    reason = message.refusal(decision)
    return Reply(encode({"permission": "deny", "user_message": reason, "agent_message": reason}))
