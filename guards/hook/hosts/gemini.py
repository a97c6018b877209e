"""Gemini CLI (measured with 0.61): BeforeTool with a top-level `decision`.

Claude's shape is ignored there and the command runs. `ask` hangs where no terminal can answer, so it is given only beside one. A rewrite
is read only beside `allow`, so none is given; advice does not reach the model.
"""

from __future__ import annotations

import posix

from guards.hook import message
from guards.hook.call import Call, FileTool, Reply, command_at, name_at, object_at, placed, text_at
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = True
SHELL_TOOL = "run_shell_command"
FILE_TOOLS = {
    "write_file": FileTool("write", "file_path", "content"),
    "replace": FileTool("edit", "file_path", "new_string"),
}


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """A shell command, which may name its own folder, or a file that is written."""
    event = name_at(payload, "hook_event_name")
    tool = name_at(payload, "tool_name")
    if event != "BeforeTool" or (tool != SHELL_TOOL and tool not in FILE_TOOLS):
        return None
    arguments = object_at(payload, "tool_input")
    about = caller.about(payload)
    if tool in FILE_TOOLS:
        file = FILE_TOOLS[tool]
        path, content = text_at(arguments, file.path), text_at(arguments, file.content, default="")
        return Call((about.replace(tool=file.tool, path=path, content=content),), event, attended=_attended())
    text, _ = command_at(arguments)
    return Call((placed(about, arguments).replace(text=text, dialect="bash"),), event, attended=_attended())


def render(decision: Decision, call: Call | None) -> Reply:
    """`decision` and `reason`; `systemMessage` for the person."""
    answer: dict[str, str] = {}
    if decision.action in ("deny", "ask"):
        asks = decision.action == "ask" and call is not None and call.attended
        answer = {"decision": "ask" if asks else "deny", "reason": message.refusal(decision)}
    if decision.note:
        answer["systemMessage"] = decision.note
    return Reply(encode(answer) if answer else "")


def _attended() -> bool:
    """Whether a terminal is there that could put a question to a person."""
    try:
        posix.close(posix.open("/dev/tty", posix.O_RDWR | posix.O_CLOEXEC))
    except OSError:
        return False
    return True
