"""Pi: an extension file (read in 1.6.0). A handler that throws blocks, and so does ours when the hook cannot answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "", "project": ".pi/extensions/gatepost.ts"}
PROGRAMS = ("pi",)
NOTES = ("What would be a question elsewhere is refused here.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The extension in the folder of extensions."""
    del environment
    path = f"{home}/.pi/agent/extensions/gatepost.ts" if scope == "user" else os.path.abspath(SCOPES[scope])
    return OwnFile(path, filled("pi.ts", layout, "pi"))
