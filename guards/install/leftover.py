"""Which hosts would still call a hook that is about to go: hosts that fail closed would then block every command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from guards.install import hosts
from guards.install.change import Conflict, read
from guards.install.place import place
from guards.install.registration import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from guards.layout import Layout


def registered(layout: Layout, home: str, environment: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(host, scope, file) of every settings file that names this installation's hook."""
    for name in hosts.names():
        for scope, short in hosts.find(name).SCOPES.items():
            path = place(short, home, environment)
            try:
                text = read(path)
            except (Conflict, OSError):
                continue
            if text is not None and f"{layout.bin}/{PROGRAM}" in text:
                yield name, scope, path
