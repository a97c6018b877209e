"""Grok CLI: a hooks file of our own (by reports of 0.2.106)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from guards.install.registration import OwnFile, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.grok/hooks/gatepost.json", "project": ".grok/hooks/gatepost.json"}
PROGRAMS = ("grok",)
NOTES = (
    "Grok also runs Claude Code's hooks with a payload of its own: set `hooks = false` in [compat.claude] of its settings.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The file in the folder of hooks."""
    hook = {"type": "command", "command": command_line(layout, "grok")}
    return OwnFile(path, json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}}, indent=2) + "\n")
