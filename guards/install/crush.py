"""Crush: `hooks.PreToolUse` of crush.json, a flat list (by its documentation)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": "crush.json"}
PROGRAMS = ("crush",)
NOTES = ("Crush does not call hooks for sub-agents; the shims are the net behind it.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The entry in the configuration of a scope."""
    folder = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    path = f"{folder}/crush/crush.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    return JsonEntry(
        path,
        ("hooks", "PreToolUse"),
        {"matcher": "^bash$", "command": command_line(layout, "crush"), "timeout": TIMEOUT},
    )
