"""VS Code's own harness: a hooks file of our own (by its documentation, preview)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, OwnFile, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.copilot/hooks/gatepost-vscode.json", "project": ".github/hooks/gatepost-vscode.json"}
PROGRAMS = ("code",)
NOTES = (
    'Only the harness "Local" reads this file; sessions of Copilot, Claude and Codex use those hosts\' own registration.',
)


def registration(layout: Layout, path: str) -> Registration:
    """The file in the folder of hooks."""
    hook = {"type": "command", "command": command_line(layout, "vscode"), "timeout": TIMEOUT}
    return OwnFile(path, json.dumps({"hooks": {"PreToolUse": [hook]}}, indent=2) + "\n")
