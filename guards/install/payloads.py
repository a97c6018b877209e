"""A shell request as each host would send it, for trying the installed hook. Members that no judgement reads are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guards.hook.settle import TRY

if TYPE_CHECKING:
    from collections.abc import Callable


def payload(host: str, command: str, cwd: str) -> dict[str, Any]:
    """The request; KeyError for a host that is not in the table."""
    return SHAPES[host](command, cwd)


def _claude(command: str, cwd: str, tool: str = "Bash", event: str = "PreToolUse") -> dict[str, Any]:
    return {
        "session_id": TRY,
        "cwd": cwd,
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": {"command": command},
    }


def _copilot(command: str, cwd: str) -> dict[str, Any]:
    return {"sessionId": TRY, "cwd": cwd, "toolName": "bash", "toolArgs": {"command": command}}


def _cursor(command: str, cwd: str) -> dict[str, Any]:
    event = "beforeShellExecution"
    return {
        "conversation_id": TRY,
        "hook_event_name": event,
        "workspace_roots": [cwd],
        "command": command,
        "cwd": "",
    }


def _windsurf(command: str, cwd: str) -> dict[str, Any]:
    info = {"command_line": command, "cwd": cwd}
    return {"agent_action_name": "pre_run_command", "trajectory_id": TRY, "tool_info": info}


def _vscode(command: str, cwd: str) -> dict[str, Any]:
    arguments = {"command": command}
    return {
        "sessionId": TRY,
        "cwd": cwd,
        "hookEventName": "PreToolUse",
        "tool_name": "run_in_terminal",
        "tool_input": arguments,
    }


def _antigravity(command: str, cwd: str) -> dict[str, Any]:
    return {
        "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": cwd}},
        "conversationId": TRY,
    }


def _grok(command: str, cwd: str) -> dict[str, Any]:
    return {"toolInput": {"command": command}, "cwd": cwd, "sessionId": TRY}


def _named_event(command: str, cwd: str, tool: str, folder: str = "cwd") -> dict[str, Any]:
    arguments = {"command": command}
    return {"event": "PreToolUse", "session_id": TRY, "tool_name": tool, "tool_input": arguments, folder: cwd}


def _cline(command: str, cwd: str) -> dict[str, Any]:
    call = {"name": "run_commands", "input": {"commands": [command]}}
    return {"hookName": "tool_call", "tool_call": call, "taskId": TRY, "workspaceRoots": [cwd]}


def _plugin(command: str, cwd: str) -> dict[str, Any]:
    return {"tool": "bash", "arguments": {"command": command}, "cwd": cwd, "session": TRY}


SHAPES: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "antigravity": _antigravity,
    "claude": _claude,
    "cline": _cline,
    "codex": _claude,
    "copilot": _copilot,
    "crush": lambda command, cwd: _named_event(command, cwd, "bash"),
    "cursor": _cursor,
    "droid": lambda command, cwd: _claude(command, cwd, "Execute"),
    "gemini": lambda command, cwd: _claude(command, cwd, "run_shell_command", "BeforeTool"),
    "goose": lambda command, cwd: _named_event(command, cwd, "developer__shell", "working_dir"),
    "grok": _grok,
    "kimi": _claude,
    "omp": _plugin,
    "opencode": _plugin,
    "pi": _plugin,
    "qwen": lambda command, cwd: _claude(command, cwd, "run_shell_command"),
    "vscode": _vscode,
    "windsurf": _windsurf,
}
