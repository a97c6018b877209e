"""The modules of a judged shim's start in one file (guards.install.pack says why and how). What every judged git command needs is run at once."""

from __future__ import annotations

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
    "guards.shim.uv", "guards.limits.nested", "guards.grants", "guards.audit",
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


def write(layout: Layout) -> bool:
    """Replace the bundle by one of what a fresh interpreter imports to judge; as pack.write. Raises OSError."""
    every, libraries = _tried(layout, PLAIN, OTHERS)
    common = set(every).intersection(*(_tried(layout, (argv,), ())[0] for argv in PLAIN))
    return pack.write(layout, "shim", every, [common], libraries)


def _tried(
    layout: Layout, argvs: Sequence[tuple[str, ...]], names: Iterable[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What a fresh interpreter imports to judge in a repository; as pack.tried."""
    with tempfile.TemporaryDirectory(dir=layout.compiled, prefix="trial.") as folder:
        trial.repository(f"{folder}/repository")
        values = {
            "modules": layout.modules,
            "layout": tuple(layout),
            "argvs": tuple(argvs),
            "names": tuple(names),
            "folder": f"{folder}/repository",
        }
        return pack.tried(layout, PROBE.format(**values))
