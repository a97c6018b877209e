"""Antigravity CLI: a named group in hooks.json (by reports of a live test of 1.1.2)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".agents/hooks.json"}
PROGRAMS = ("agy",)
NOTES = ("Antigravity prompts when a hook fails.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The group `gatepost`."""
    del environment
    path = f"{home}/.gemini/config/hooks.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    hook = {"type": "command", "command": command_line(layout, "antigravity"), "timeout": TIMEOUT}
    return JsonEntry(path, ("gatepost", "PreToolUse"), {"matcher": "run_command", "hooks": [hook]})
