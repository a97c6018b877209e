"""Cursor: `hooks.beforeShellExecution` of hooks.json with `failClosed` (by reports of live runs of 3.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.cursor/hooks.json", "project": ".cursor/hooks.json", "managed": "/etc/cursor/hooks.json"}
PROGRAMS = ("cursor", "cursor-agent")
NOTES = ("Cursor shows no dialog for a question: it is refused. It was reported to run only the first hook of a list.",)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the hooks of a scope."""
    entry = {"command": command_line(layout, "cursor"), "timeout": TIMEOUT, "failClosed": True}
    return JsonEntry(path, ("hooks", "beforeShellExecution"), entry, start='{\n  "version": 1\n}\n')
