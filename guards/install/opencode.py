"""opencode: a plugin file, which the host loads by itself; it has no command hooks (measured with 1.18.33)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".opencode/plugins/gatepost.js"}
PROGRAMS = ("opencode",)
NOTES = (
    "opencode cannot ask for a hook: what would be a question elsewhere is refused here.",
    "A plugin that does not load is skipped in silence: `gatepost doctor opencode` loads it. Older versions did not call it for sub-agents.",
)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The plugin in the folder of plugins."""
    folder = environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
    path = f"{folder}/opencode/plugins/gatepost.js" if scope == "user" else os.path.abspath(SCOPES[scope])
    return OwnFile(path, filled("opencode.js", layout, "opencode"))
