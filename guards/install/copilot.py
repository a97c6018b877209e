"""GitHub Copilot CLI: a hooks file of our own beside others; the event `preToolUse` sends and reads the flat form (measured with 1.0.102)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, OwnFile, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "${COPILOT_HOME:-~/.copilot}/hooks/gatepost.json", "project": ".github/hooks/gatepost.json"}
PROGRAMS = ("copilot",)
NOTES = (
    "Copilot denies when a hook fails, but lets the command run when one is slower than its timeout.",
    "In the Copilot chat extension 1.0.65 a deny was reported to have no effect; use the CLI or a newer one.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The file in the folder of hooks."""
    hook = {
        "type": "command",
        "matcher": "bash|powershell",
        "bash": command_line(layout, "copilot"),
        "timeoutSec": TIMEOUT,
    }
    return OwnFile(path, json.dumps({"version": 1, "hooks": {"preToolUse": [hook]}}, indent=2) + "\n")
