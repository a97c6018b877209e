"""Programs of ours that a host loads into itself, from templates/ with this installation's paths put in."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from guards.install.registration import PROGRAM, TIMEOUT

if TYPE_CHECKING:
    from guards.layout import Layout

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


def filled(template: str, layout: Layout, host: str) -> str:
    """The plugin's source. Paths go in as JSON strings, which JavaScript reads back as they are."""
    values = {
        "@JUDGE@": _text("judge.js"),
        "@HOOK@": json.dumps(f"{layout.bin}/{PROGRAM}"),
        "@SHIMS@": json.dumps(f"{layout.prefix}/shims"),
        "@HOST@": json.dumps(host),
        "@TIMEOUT@": str(TIMEOUT * 1000),
        "@HOST_NAME@": host,
    }
    source = _text(template)
    for name, value in values.items():
        source = source.replace(name, value)
    return source


def _text(name: str) -> str:
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()
