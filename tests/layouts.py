"""Installations in a folder of a test's or a measurement's own."""

from __future__ import annotations

import sys

from guards.layout import Layout, own_modules


def layout_at(root, modules=None):
    """A layout below `root` for the interpreter that runs this; `modules` are the folders of ours when they lie elsewhere."""
    return Layout(
        prefix=f"{root}/prefix",
        bin=f"{root}/bin",
        config=f"{root}/config",
        state=f"{root}/state",
        runtime=f"{root}/run",
        compiled=f"{root}/prefix/compiled",
        python=sys.executable,
        modules=own_modules() if modules is None else modules,
        managed=f"{root}/managed",
    )
