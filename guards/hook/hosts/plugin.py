"""Hosts that load a program of ours into themselves (opencode, Pi, OMP): the plugin sends one shape for all and reads one answer.

Payload: {"tool", "arguments", "cwd", "session"}. Answer: {"deny": reason}, or any of {"command": rewritten text, "advice": text}, or nothing.
The plugin blocks on a deny, on any exit status but 0 and on an answer that it cannot read.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, FileTool, Reply, command_at, name_at, object_at, placed, text_at
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False
PATHS = ("filePath", "path")
FILE_TOOLS = {
    "write": FileTool("write", "", "content"),
    "edit": FileTool("edit", "", "newString"),
    "read": FileTool("read", ""),
}


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command or a file tool; other tools are not ours."""
    tool = name_at(payload, "tool")
    if tool != "bash" and tool not in FILE_TOOLS:
        return None
    arguments = object_at(payload, "arguments")
    about = caller.about(payload, "session")
    if tool in FILE_TOOLS:
        file = FILE_TOOLS[tool]
        key = next((key for key in PATHS if key in arguments), PATHS[0])
        content = text_at(arguments, file.content, default="") if file.content else ""
        return Call((about.replace(tool=file.tool, path=text_at(arguments, key), content=content),), tool)
    text, key = command_at(arguments)
    return Call(
        (placed(about, arguments).replace(text=text, dialect=caller.shell("bash", "zsh", "fish")),),
        tool,
        arguments,
        key,
    )


def render(decision: Decision, call: Call | None) -> Reply:
    """The plugin's own answer."""
    answer: dict[str, str] = {}
    if decision.action in ("deny", "ask"):
        answer["deny"] = message.refusal(decision)
    else:
        if decision.rewrite is not None and decision.action == "rewrite" and call and call.key:
            answer["command"] = decision.rewrite
        if decision.advice:
            answer["advice"] = message.advice(decision)
    return Reply(encode(answer) if answer else "")
