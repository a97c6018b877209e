"""Cursor: `hooks.beforeShellExecution` of hooks.json with `failClosed` (by reports of live runs of 3.9)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".cursor/hooks.json", "managed": "/etc/cursor/hooks.json"}
PROGRAMS = ("cursor", "cursor-agent")
NOTES = ("Cursor shows no dialog for a question: it is refused. It was reported to run only the first hook of a list.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The entry in the hooks of a scope."""
    del environment
    path = f"{home}/.cursor/hooks.json" if scope == "user" else os.path.abspath(SCOPES[scope])
    entry = {"command": command_line(layout, "cursor"), "timeout": TIMEOUT, "failClosed": True}
    return JsonEntry(path, ("hooks", "beforeShellExecution"), entry, start='{\n  "version": 1\n}\n')
