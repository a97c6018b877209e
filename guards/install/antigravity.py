"""Antigravity CLI: a named group in hooks.json (by reports of a live test of 1.1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.gemini/config/hooks.json", "project": ".agents/hooks.json"}
PROGRAMS = ("agy",)
NOTES = ("Antigravity prompts when a hook fails.",)


def registration(layout: Layout, path: str) -> Registration:
    """The group `gatepost`."""
    hook = {"type": "command", "command": command_line(layout, "antigravity"), "timeout": TIMEOUT}
    return JsonEntry(path, ("gatepost", "PreToolUse"), {"matcher": "run_command", "hooks": [hook]})
