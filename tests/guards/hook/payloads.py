"""Payloads in the shape that each host sends, as captured from the real clients (shared/hosts/payloads), with the command put in."""

from __future__ import annotations

import json
from typing import Any


def _claude(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "session_id": "c9fa8643-2f54-47a0-92f1-c27e6d63fd43",
        "transcript_path": "/home/dev/.claude/projects/app/c9fa8643.jsonl",
        "cwd": cwd,
        "prompt_id": "f993cb7c-9e8e-41b5-ace8-021672e46198",
        "permission_mode": "default",
        "effort": {"level": "medium"},
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "test call"},
        "tool_use_id": "toolu_stub01",
    }


def _codex(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "session_id": "01a22b7a-0c28-74e2-bedb-7a27b92e304c",
        "turn_id": "01a22b7a-0c84-7bb0-91e0-d0240a793961",
        "transcript_path": "/home/dev/.codex/sessions/rollout.jsonl",
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "model": "fake-model",
        "permission_mode": "bypassPermissions",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "call_stub01",
    }


def _kimi(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "session_fb161d10",
        "cwd": cwd,
        "client_type": "kimi_code_cli",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "test call"},
        "tool_call_id": "call_stub01",
    }


def _gemini(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "session_id": "1cf75dae",
        "transcript_path": "/home/dev/.gemini/tmp/proj/chats/session.jsonl",
        "cwd": cwd,
        "hook_event_name": "BeforeTool",
        "timestamp": "2026-11-30T08:03:53.223Z",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command, "description": "test call"},
    }


def _qwen(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "session_id": "cb54ffb7",
        "transcript_path": "/home/dev/.qwen/projects/app/chats/x.jsonl",
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "timestamp": "2026-11-30T08:07:59.039Z",
        "permission_mode": "yolo",
        "prompt_id": "cb54ffb7########0",
        "tool_name": "run_shell_command",
        "tool_input": {"command": command, "description": "test call"},
        "tool_use_id": "toolu_1796026079039",
        "tool_call_id": "call_stub01",
    }


def _copilot(command: Any, cwd: str) -> dict[str, Any]:
    arguments = {"command": command, "description": "test call"}
    return {"sessionId": "cf54d824", "timestamp": 1796026045240, "cwd": cwd, "toolName": "bash", "toolArgs": arguments}


def _copilot_pascal(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": "5bf302a6",
        "timestamp": "2026-11-30T08:11:11.950Z",
        "cwd": cwd,
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "test call"},
    }


def _cursor(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "conversation_id": "c1",
        "generation_id": "g1",
        "model": "m",
        "hook_event_name": "beforeShellExecution",
        "cursor_version": "3.9.16",
        "workspace_roots": [cwd],
        "command": command,
        "cwd": "",
        "sandbox": False,
    }


def _windsurf(command: Any, cwd: str) -> dict[str, Any]:
    info = {"command_line": command, "cwd": cwd}
    return {"agent_action_name": "pre_run_command", "trajectory_id": "t1", "execution_id": "e1", "tool_info": info}


def _plugin(command: Any, cwd: str) -> dict[str, Any]:
    return {"tool": "bash", "arguments": {"command": command}, "cwd": cwd, "session": "ses_1"}


def _vscode(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "timestamp": "2026-11-30T08:11:11.950Z",
        "cwd": cwd,
        "sessionId": "s1",
        "hookEventName": "PreToolUse",
        "tool_name": "run_in_terminal",
        "tool_input": {"command": command, "explanation": "x", "goal": "y", "isBackground": False},
        "tool_use_id": "u1",
    }


def _antigravity(command: Any, cwd: str) -> dict[str, Any]:
    call = {"name": "run_command", "args": {"CommandLine": command, "Cwd": cwd}}
    return {"toolCall": call, "conversationId": "c1", "workspacePaths": [cwd]}


def _droid(command: Any, cwd: str) -> dict[str, Any]:
    return {**_copilot_pascal(command, cwd), "tool_name": "Execute"}


def _grok(command: Any, cwd: str) -> dict[str, Any]:
    return {"toolInput": {"command": command}, "workspaceRoot": cwd, "cwd": cwd, "sessionId": "s1"}


def _crush(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "event": "PreToolUse",
        "session_id": "s1",
        "cwd": cwd,
        "tool_name": "bash",
        "tool_input": {"command": command},
    }


def _goose(command: Any, cwd: str) -> dict[str, Any]:
    return {
        "event": "PreToolUse",
        "session_id": "s1",
        "matcher_context": "developer__shell",
        "tool_name": "developer__shell",
        "tool_input": {"command": command},
        "working_dir": cwd,
        "tool_call_id": "t1",
    }


def _cline(command: Any, cwd: str) -> dict[str, Any]:
    call = {"name": "run_commands", "input": {"commands": [command]}}
    return {"hookName": "tool_call", "tool_call": call, "taskId": "t1", "workspaceRoots": [cwd]}


SHAPES = {
    "antigravity": _antigravity,
    "claude": _claude,
    "cline": _cline,
    "codex": _codex,
    "copilot": _copilot,
    "copilot Pascal": _copilot_pascal,
    "crush": _crush,
    "cursor": _cursor,
    "droid": _droid,
    "gemini": _gemini,
    "goose": _goose,
    "grok": _grok,
    "kimi": _kimi,
    "omp": _plugin,
    "opencode": _plugin,
    "pi": _plugin,
    "qwen": _qwen,
    "vscode": _vscode,
    "windsurf": _windsurf,
}
"""Host, and the second event spelling where it has one, to the maker of its payload."""


def payload(host: str, command: Any, folder: str = "/home/dev/work/app", **changes: Any) -> dict[str, Any]:
    """The host's payload for a shell command, members replaced (None removes one)."""
    made = {**SHAPES[host](command, folder), **changes}
    return {key: value for key, value in made.items() if value is not None}


def raw(host: str, command: Any, folder: str = "/home/dev/work/app", **changes: Any) -> bytes:
    """The same as the bytes on stdin."""
    return json.dumps(payload(host, command, folder, **changes)).encode()
