"""Crush: `hooks.PreToolUse` of crush.json, a flat list (by its documentation)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "${XDG_CONFIG_HOME:-~/.config}/crush/crush.json", "project": "crush.json"}
PROGRAMS = ("crush",)
NOTES = ("Crush does not call hooks for sub-agents; the shims are the net behind it.",)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the configuration of a scope."""
    return JsonEntry(
        path,
        ("hooks", "PreToolUse"),
        {"matcher": "^bash$", "command": command_line(layout, "crush"), "timeout": TIMEOUT},
    )
