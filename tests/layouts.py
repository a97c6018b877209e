"""Installations in a folder of a test's or a measurement's own."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import sys
import tempfile

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


@functools.cache
def _first():
    """The compiled folder of a whole installation, made once in a run."""
    from guards.install.deploy import deploy

    root = tempfile.mkdtemp(prefix="gatepost-tests-")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    made = layout_at(root)
    deploy(made)
    return made.compiled


def keep(compiled):
    """Lay into a compiled folder what one installation hands to the next of the same code: that the shipped rules were tried, and the packed modules.

    Whoever installs there then does all the rest, and each test is spared the seconds for these.
    """
    os.makedirs(compiled, mode=0o700, exist_ok=True)
    for name in os.listdir(_first()):
        if sys.implementation.cache_tag in name and not name.startswith("policy."):
            shutil.copy2(f"{_first()}/{name}", compiled)
