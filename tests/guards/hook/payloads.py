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


SHAPES = {"claude": _claude, "codex": _codex}


def payload(host: str, command: Any, cwd: str = "/home/dev/work/app", **changes: Any) -> dict[str, Any]:
    """The host's payload for a shell command, members replaced (None removes one)."""
    made = {**SHAPES[host](command, cwd), **changes}
    return {key: value for key, value in made.items() if value is not None}


def raw(host: str, command: Any, cwd: str = "/home/dev/work/app", **changes: Any) -> bytes:
    """The same as the bytes on stdin."""
    return json.dumps(payload(host, command, cwd, **changes)).encode()
