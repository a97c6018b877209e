"""OMP: a hook file with Pi's interface (read in 18.3.4). A handler that fails or is slow blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": "~/.omp/agent/hooks/gatepost.ts"}
PROGRAMS = ("omp",)
NOTES = ("What would be a question elsewhere is refused here.",)


def registration(layout: Layout, path: str) -> Registration:
    """The file in the folder of hooks."""
    return OwnFile(path, filled("pi.ts", layout, "omp"))
