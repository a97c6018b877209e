"""Whose payload is it really: hosts read each other's settings, so a hook registered for one may be called by another.

Asked only when the host that the command line names cannot make anything of the payload. The signs are those of shapes seen or documented.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Payload = Mapping[str, Any]


def _kimi(payload: Payload) -> bool:
    if str(payload.get("client_type", "")).startswith("kimi_code"):
        return True
    return "tool_call_id" in payload and "tool_use_id" not in payload and "transcript_path" not in payload


def _goose_or_crush(payload: Payload) -> bool:
    return "event" in payload and "hook_event_name" not in payload


SIGNS: tuple[tuple[str, Callable[[Payload], bool]], ...] = (
    ("cursor", lambda p: "cursor_version" in p or p.get("hook_event_name") in ("beforeShellExecution", "preToolUse")),
    ("windsurf", lambda p: "agent_action_name" in p),
    ("cline", lambda p: "clineVersion" in p or p.get("hookName") in ("tool_call", "PreToolUse")),
    ("antigravity", lambda p: "toolCall" in p and "workspacePaths" in p),
    ("grok", lambda p: "toolInput" in p and "workspaceRoot" in p),
    ("copilot", lambda p: "toolName" in p and "toolArgs" in p),
    ("goose", lambda p: _goose_or_crush(p) and "matcher_context" in p),
    ("crush", _goose_or_crush),
    ("kimi", _kimi),
    ("gemini", lambda p: p.get("hook_event_name") == "BeforeTool"),
    ("qwen", lambda p: p.get("tool_name") == "run_shell_command" and "prompt_id" in p),
    ("codex", lambda p: "turn_id" in p and "model" in p),
    ("vscode", lambda p: "hookEventName" in p and "sessionId" in p),
    ("droid", lambda p: p.get("tool_name") == "Execute"),
    ("claude", lambda p: "prompt_id" in p or "permission_mode" in p),
)
"""In order: the first that fits."""


def host_of(payload: Payload) -> str | None:
    """The host whose shape this is, None when it is nobody's."""
    return next((host for host, fits in SIGNS if fits(payload)), None)
