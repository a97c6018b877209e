"""The hosts that `gatepost install` knows: one module each, named here.

A module has
    SCOPES    where it can register, "user" first, and the file there, as `place` reads it
    PROGRAMS  names under which the host is found on PATH, () when it cannot be told that way
    NOTES     what a person must know about this host, a sentence each
    registration(layout, path) -> Registration, what stands in the file of a scope
and may have
    NEEDS     the first version on which our registration holds, as a tuple
    finish(home, environment) -> what was done after the registration was written, in a sentence for the person
    headless(program, url) -> words and variables that run the client once against a model server, for `gatepost doctor --live`
    inspect(patient) -> Iterator[Check], what `gatepost doctor` must look at for this host alone
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, cast

from guards.install.place import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from guards.install.registration import Registration
    from guards.layout import Layout

    class Installer(Protocol):
        """What every module below offers."""

        SCOPES: Mapping[str, str]
        PROGRAMS: tuple[str, ...]
        NOTES: tuple[str, ...]

        def registration(self, layout: Layout, path: str) -> Registration: ...


INSTALLERS = {
    "antigravity": "guards.install.antigravity",
    "claude": "guards.install.claude",
    "cline": "guards.install.cline",
    "codex": "guards.install.codex",
    "copilot": "guards.install.copilot",
    "crush": "guards.install.crush",
    "cursor": "guards.install.cursor",
    "droid": "guards.install.droid",
    "gemini": "guards.install.gemini",
    "grok": "guards.install.grok",
    "kimi": "guards.install.kimi",
    "omp": "guards.install.omp",
    "opencode": "guards.install.opencode",
    "pi": "guards.install.pi",
    "qwen": "guards.install.qwen",
    "vscode": "guards.install.vscode",
    "windsurf": "guards.install.windsurf",
}


def find(name: str) -> Installer:
    """The installer of a host; KeyError for a name that is not in the table."""
    return cast("Installer", importlib.import_module(INSTALLERS[name]))


def registration(name: str, layout: Layout, home: str, scope: str, environment: Mapping[str, str]) -> Registration:
    """A host's registration in one of its scopes, in this home; KeyError for a scope that it has not."""
    installer = find(name)
    return installer.registration(layout, place(installer.SCOPES[scope], home, environment))


def names() -> Iterable[str]:
    """Every host that can be installed, sorted."""
    return sorted(INSTALLERS)
