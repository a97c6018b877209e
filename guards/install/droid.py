"""Factory Droid: `PreToolUse` in hooks.json with the tool Execute (read in 0.215)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.factory/hooks.json", "project": ".factory/hooks.json"}
PROGRAMS = ("droid",)
NOTES = ("Droid obeys the first hook that decides; our deny is an exit status, which is looked at over all of them.",)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the hooks of a scope."""
    hook = {"type": "command", "command": command_line(layout, "droid"), "timeout": TIMEOUT}
    return JsonEntry(path, ("hooks", "PreToolUse"), {"matcher": "Execute", "hooks": [hook]})
