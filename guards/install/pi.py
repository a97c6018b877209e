"""Pi: an extension file (read in 1.6.0). A handler that throws blocks, and so does ours when the hook cannot answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.pi/agent/extensions/gatepost.ts", "project": ".pi/extensions/gatepost.ts"}
PROGRAMS = ("pi",)
NOTES = ("What would be a question elsewhere is refused here.",)


def registration(layout: Layout, path: str) -> Registration:
    """The extension in the folder of extensions."""
    return OwnFile(path, filled("pi.ts", layout, "pi"))
