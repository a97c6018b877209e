"""Cline: a program named after the event in a folder of hooks (read in 3.0.65)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import OwnFile, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.cline/hooks/PreToolUse.sh", "editor": "~/Documents/Cline/Hooks/PreToolUse"}
PROGRAMS = ("cline",)
NOTES = (
    "Cline runs the command when a hook crashes or is slow, whatever its exit status. The shims are the net behind it.",
    "In the editor hooks must be switched on in Cline's settings; install with --scope editor there.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The program; `editor` is the folder of the VS Code edition."""
    source = f"#!/bin/sh\n# written by `gatepost install cline`\nexec {command_line(layout, 'cline')}\n"
    return OwnFile(path, source, mode=0o755)
