"""Claude Code (measured with 2.1.332): PreToolUse and PermissionRequest.

A rewrite is `updatedInput` without a decision, which replaces the whole tool input and leaves the permission prompt alone; it travels
beside an ask, not beside a deny. Silence is no opinion. Exit 2 blocks whatever the event.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, FileTool, Reply, Unreadable, command_at, name_at, object_at, placed, text_at
from guards.hook.envelope import blocked, nested

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision, Request

ASKS = True
SHELL_TOOLS = {"Bash": "bash", "Monitor": "bash", "PowerShell": "powershell"}
FILE_TOOLS = {
    "Write": FileTool("write", "file_path", "content"),
    "Edit": FileTool("edit", "file_path", "new_string"),
    "MultiEdit": FileTool("edit", "file_path"),
    "NotebookEdit": FileTool("edit", "notebook_path", "new_source"),
    "Read": FileTool("read", "file_path"),
    "Grep": FileTool("read", "path"),
}
OTHER_EVENTS = frozenset(
    (
        "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart",
        "SessionEnd", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PermissionDenied", "Setup",
        "ConfigChange", "CwdChanged", "FileChanged",
    )
)  # fmt: skip
"""Events that ask for no permission: nothing is to be judged in them."""


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A call for one of our tools. An event that this module does not know is judged too, and refused by exit status."""
    event = name_at(payload, "hook_event_name")
    if event in OTHER_EVENTS:
        return None
    tool = name_at(payload, "tool_name")
    if tool not in SHELL_TOOLS and tool not in FILE_TOOLS:
        return None
    arguments = object_at(payload, "tool_input")
    about = caller.about(payload)
    if tool in FILE_TOOLS:
        return _file_call(event, FILE_TOOLS[tool], arguments, about)
    text, key = command_at(arguments)
    dialect = caller.shell("bash", "zsh") if SHELL_TOOLS[tool] == "bash" else SHELL_TOOLS[tool]
    return Call((placed(about, arguments).replace(text=text, dialect=dialect),), event, arguments, key)


def _file_call(event: str, tool: FileTool, arguments: Mapping[str, Any], about: Request) -> Call | None:
    if tool.tool == "read" and not arguments.get(tool.path):
        return None  # Grep without a path searches the working directory
    content = text_at(arguments, tool.content, default="") if tool.content else "\n".join(_edits(arguments))
    return Call((about.replace(tool=tool.tool, path=text_at(arguments, tool.path), content=content),), event, arguments)


def _edits(arguments: Mapping[str, Any]) -> list[str]:
    edits = arguments.get("edits", [])
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        raise Unreadable("`edits` is no list of edits")
    return [text_at(edit, "new_string", default="") for edit in edits]


def render(decision: Decision, call: Call | None) -> Reply:
    """The answer in the form of the event that was sent."""
    event = call.event if call else "PreToolUse"
    if event == "PermissionRequest":
        return _permission(decision)
    if event != "PreToolUse":
        return blocked(message.refusal(decision)) if decision.action in ("deny", "ask") else Reply()
    output: dict[str, Any] = {}
    if decision.action in ("deny", "ask"):
        output["permissionDecision"] = decision.action
        output["permissionDecisionReason"] = message.refusal(decision)
    elif decision.action == "allow":
        output["permissionDecision"] = "allow"
    if decision.rewrite is not None and call and call.key and decision.action in ("ask", "rewrite"):
        output["updatedInput"] = {**call.arguments, call.key: decision.rewrite}
    if decision.action != "deny" and decision.advice:
        output["additionalContext"] = message.advice(decision)
    return nested(event, output, decision.note)


def _permission(decision: Decision) -> Reply:
    """A person is about to be asked: a deny answers for them, anything else leaves the question to them."""
    if decision.action != "deny":
        return nested("PermissionRequest", {}, decision.note)
    return nested(
        "PermissionRequest", {"decision": {"behavior": "deny", "message": message.refusal(decision)}}, decision.note
    )
