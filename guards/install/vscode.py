"""VS Code's own harness: a hooks file of our own (by its documentation, preview)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, OwnFile, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".github/hooks/gatepost-vscode.json"}
PROGRAMS = ("code",)
NOTES = (
    'Only the harness "Local" reads this file; sessions of Copilot, Claude and Codex use those hosts\' own registration.',
)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The file in the folder of hooks."""
    del environment
    path = f"{home}/.copilot/hooks/gatepost-vscode.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    hook = {"type": "command", "command": command_line(layout, "vscode"), "timeout": TIMEOUT}
    return OwnFile(path, json.dumps({"hooks": {"PreToolUse": [hook]}}, indent=2) + "\n")
