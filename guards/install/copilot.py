"""GitHub Copilot CLI: a hooks file of our own beside others; the event `preToolUse` sends and reads the flat form (measured with 1.0.102)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, OwnFile, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".github/hooks/gatepost.json"}
PROGRAMS = ("copilot",)
NOTES = (
    "Copilot denies when a hook fails, but lets the command run when one is slower than its timeout.",
    "In the Copilot chat extension 1.0.65 a deny was reported to have no effect; use the CLI or a newer one.",
)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The file in the folder of hooks."""
    folder = environment.get("COPILOT_HOME") or f"{home}/.copilot"
    path = f"{folder}/hooks/gatepost.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    hook = {
        "type": "command",
        "matcher": "bash|powershell",
        "bash": command_line(layout, "copilot"),
        "timeoutSec": TIMEOUT,
    }
    return OwnFile(path, json.dumps({"version": 1, "hooks": {"preToolUse": [hook]}}, indent=2) + "\n")
