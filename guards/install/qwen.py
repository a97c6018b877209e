"""Qwen Code: `hooks.PreToolUse` of settings.json; a timeout of 1000 or more would be read as milliseconds (measured with 0.24.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.qwen/settings.json", "project": ".qwen/settings.json"}
PROGRAMS = ("qwen",)
NOTES = (
    "Qwen has no switch for a failing hook: a killed or slow hook lets the command run. The shims are the net behind it.",
    "Qwen takes neither a rewrite nor advice from a hook.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the settings of a scope, in which the host takes comments (strip-json-comments)."""
    hook = {"type": "command", "command": command_line(layout, "qwen"), "timeout": TIMEOUT}
    return JsonEntry(path, ("hooks", "PreToolUse"), {"matcher": "^run_shell_command$", "hooks": [hook]}, comments=True)
