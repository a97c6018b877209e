"""OMP: a hook file with Pi's interface (read in 18.3.4). A handler that fails or is slow blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install.plugin import filled
from guards.install.registration import OwnFile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

SCOPES = {"user": ""}
PROGRAMS = ("omp",)
NOTES = ("What would be a question elsewhere is refused here.",)


def registration(layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """The file in the folder of hooks."""
    del scope, environment
    return OwnFile(f"{home}/.omp/agent/hooks/gatepost.ts", filled("pi.ts", layout, "omp"))
