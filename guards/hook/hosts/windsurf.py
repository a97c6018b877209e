"""Windsurf / Cascade (by its documentation): only exit 2 blocks, with the reason on stderr; no ask, rewrite or advice."""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, name_at, object_at, text_at
from guards.hook.envelope import blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False
FILE_EVENTS = {"pre_write_code": "edit", "pre_read_code": "read"}


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A command line, or a file that is written or read."""
    event = name_at(payload, "agent_action_name")
    if event != "pre_run_command" and event not in FILE_EVENTS:
        return None
    info = object_at(payload, "tool_info")
    about = caller.about({"cwd": info.get("cwd"), "session": payload.get("trajectory_id", "")}, "session")
    if event in FILE_EVENTS:
        return Call((about.replace(tool=FILE_EVENTS[event], path=text_at(info, "file_path"), content=""),), event)
    return Call((about.replace(text=text_at(info, "command_line")),), event)


def render(decision: Decision, call: Call | None) -> Reply:
    """Exit 2, or silence."""
    del call
    return blocked(message.refusal(decision)) if decision.action in ("deny", "ask") else Reply()
