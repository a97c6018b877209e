"""Gemini CLI: `hooks.BeforeTool` of settings.json; its timeout is in milliseconds (measured with 0.61)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, JsonEntry, command_line

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {
    "user": "~/.gemini/settings.json",
    "project": ".gemini/settings.json",
    "managed": "/etc/gemini-cli/settings.json",
}
PROGRAMS = ("gemini",)
NOTES = (
    "Gemini has no switch for a failing hook: a killed or slow hook lets the command run. The shims are the net behind it.",
    "Without a terminal a question is refused, because there the host would hang on it.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The entry in the settings of a scope, in which the host takes comments (strip-json-comments)."""
    hook = {"name": "gatepost", "type": "command", "command": command_line(layout, "gemini"), "timeout": TIMEOUT * 1000}
    entry = {"matcher": "^(run_shell_command|write_file|replace)$", "hooks": [hook]}
    return JsonEntry(path, ("hooks", "BeforeTool"), entry, comments=True)
