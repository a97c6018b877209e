"""The modules of a judged shim's start in one file (guards.install.pack says why and how). What every judged git command needs is run at once."""

from __future__ import annotations

import subprocess
import tempfile

from guards.install import pack, trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from guards.layout import Layout

PLAIN = (("git", "-C", ".", "rev-parse", "HEAD"), ("git", "stash", "list"), ("git", "config", "--get", "user.name"))
"""What all of these import is run at once."""

OTHERS = (
    "guards.shim.jjparent", "guards.shim.jjread", "guards.shim.jj", "guards.shim.jjcommit", "guards.shim.jjworkspace", "guards.shim.ssh",
    "guards.shim.uv", "guards.shim.equivalents", "guards.limits.nested", "guards.grants", "guards.audit",
)  # fmt: skip
"""Modules of other commands."""

PROBE = """
import sys
sys.path[:0] = {modules!r}
from guards.layout import Layout, bake

layout = bake(Layout(*{layout!r}))
for name in ("guards.shim.main", "guards.shim.git", *{names!r}):
    __import__(name)
from guards.shim.call import Call
from guards.shim.judge import settle

for argv in {argvs!r}:
    settle(Call(argv[0], "/bin/false", argv, {folder!r}, {{}}, layout, "f"))
"""


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to judge. Raises OSError."""
    listed = _probed(layout, PLAIN, OTHERS)
    every = {name: source for kind, name, source in listed if kind == "code"}
    common = set(every)
    for argv in PLAIN:
        common &= {name for kind, name, _ in _probed(layout, (argv,), ()) if kind == "code"}
    libraries = {name: source for kind, name, source in listed if kind == "library"}
    pack.write(layout, "shim", every, [common], libraries)


def _probed(layout: Layout, argvs: Sequence[tuple[str, ...]], names: Iterable[str]) -> list[list[str]]:
    """(kind, name, file) of what a fresh interpreter imports to judge in a repository; [] when it cannot."""
    with tempfile.TemporaryDirectory(dir=layout.compiled, prefix="trial.") as folder:
        trial.repository(f"{folder}/repository")
        values = {
            "modules": layout.modules,
            "layout": tuple(layout),
            "argvs": tuple(argvs),
            "names": tuple(names),
            "folder": f"{folder}/repository",
        }
        command = [layout.python, "-I", "-S", "-c", PROBE.format(**values) + pack.TELL]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=pack.PATIENCE)
        except subprocess.TimeoutExpired:
            return []
    return [row.split("\t") for row in done.stdout.splitlines()] if done.returncode == 0 else []
