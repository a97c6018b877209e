"""Cline (read in 3.0.65): `cancel` in a JSON answer is the only block; exit status means nothing, and a crash runs the command.

The CLI sends `tool_call` with a list of commands, the VS Code edition `preToolUse` with one.
"""

from __future__ import annotations

from guards.hook import message
from guards.hook.call import Call, Reply, Unreadable, name_at, object_at, placed, text_at
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from guards.hook.caller import Caller
    from policy.model import Decision

ASKS = False
CLI_TOOLS = ("run_commands", "execute_command")


def read(payload: Mapping[str, Any], caller: Caller) -> Call | None:
    """One request for each command."""
    kind = name_at(payload, "hookName")
    if kind not in ("tool_call", "PreToolUse"):
        return None
    inner = object_at(payload, "tool_call" if kind == "tool_call" else "preToolUse")
    tool = name_at(inner, "name" if kind == "tool_call" else "toolName")
    if tool not in CLI_TOOLS:
        return None
    arguments = object_at(inner, "input" if kind == "tool_call" else "parameters")
    roots = payload.get("workspaceRoots")
    root = roots[0] if isinstance(roots, list) and roots else payload.get("cwd", "")
    about = placed(caller.about({"cwd": root, "session": text_at(payload, "taskId", default="")}, "session"), arguments)
    return Call(tuple(about.replace(text=text) for text in _commands(arguments)), kind)


def _commands(arguments: Mapping[str, Any]) -> list[str]:
    commands = arguments.get("commands", [arguments.get("command")])
    if not isinstance(commands, list) or not commands:
        raise Unreadable("`commands` is no list of commands")
    return [text_at({"command": command}, "command") for command in commands]


def render(decision: Decision, call: Call | None) -> Reply:
    """Always one object."""
    del call
    answer: dict[str, Any] = {"cancel": decision.action in ("deny", "ask")}
    if answer["cancel"]:
        answer["errorMessage"] = message.refusal(decision)
    elif decision.advice:
        answer["contextModification"] = message.advice(decision)
    return Reply(encode(answer))
