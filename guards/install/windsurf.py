"""Windsurf / Cascade: `hooks.pre_run_command` of hooks.json (by its documentation)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {
    "user": "~/.codeium/windsurf/hooks.json",
    "project": ".windsurf/hooks.json",
    "managed": "/etc/windsurf/hooks.json",
}
PROGRAMS = ("windsurf",)
NOTES = ("Windsurf blocks only on exit status 2: a killed hook lets the command run. The shims are the net behind it.",)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the hooks of a scope."""
    return JsonEntry(
        path, ("hooks", "pre_run_command"), {"command": command_line(layout, "windsurf"), "show_output": True}
    )
