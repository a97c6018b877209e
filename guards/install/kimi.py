"""Kimi Code: a `[[hooks]]` table with exactly four keys; one more and the host drops all hooks with a warning (measured with 2.1.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.registration import TIMEOUT, TomlBlock, command_line, toml_table

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "${KIMI_CODE_HOME:-~/.kimi-code}/config.toml"}
PROGRAMS = ("kimi", "kimi-code")
NOTES = (
    "Kimi cannot ask: what would be a question elsewhere is refused here. It takes no rewrite; shims carry limits instead.",
    "Kimi has no switch for a failing hook: a killed hook lets the command run. The shims are the net behind it.",
)


def registration(layout: Layout, path: str) -> Registration:
    """The table in Kimi's config.toml."""
    hook: dict[str, str | int] = {
        "event": "PreToolUse",
        "matcher": "^(Bash|Shell)$",
        "command": command_line(layout, "kimi"),
        "timeout": TIMEOUT,
    }
    return TomlBlock(path, toml_table("[[hooks]]", hook))
