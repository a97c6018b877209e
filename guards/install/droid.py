"""Factory Droid: `PreToolUse` in hooks.json with the tool Execute (read in 0.215)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".factory/hooks.json"}
PROGRAMS = ("droid",)
NOTES = ("Droid obeys the first hook that decides; our deny is an exit status, which is looked at over all of them.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The entry in the hooks of a scope."""
    del environment
    path = f"{home}/.factory/hooks.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    hook = {"type": "command", "command": command_line(layout, "droid"), "timeout": TIMEOUT}
    return JsonEntry(path, ("hooks", "PreToolUse"), {"matcher": "Execute", "hooks": [hook]})
