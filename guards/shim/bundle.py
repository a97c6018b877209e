"""The modules of a judged shim's start in one file (guards.install.pack says why and how). What every judged git command needs is run at once."""

from __future__ import annotations

import subprocess

from guards.install import pack

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
    settle(Call(argv[0], "/bin/false", argv, "/", {{}}, layout))
for name, module in sys.modules.items():
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "shims", "__future__"):
        print(name, source, sep="\\t")
"""


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to judge. Raises OSError."""
    every = _probed(layout, PLAIN, OTHERS)
    common = set(every)
    for argv in PLAIN:
        common &= _probed(layout, (argv,), ()).keys()
    pack.write(layout, "shim", every, [common], {})


def _probed(layout: Layout, argvs: Sequence[tuple[str, ...]], names: Iterable[str]) -> dict[str, str]:
    """Module names with their files, as a fresh interpreter imports them to judge; {} when it cannot."""
    probe = PROBE.format(modules=layout.modules, layout=tuple(layout), argvs=tuple(argvs), names=tuple(names))
    command = [layout.python, "-I", "-S", "-c", probe]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=pack.PATIENCE)
    except subprocess.TimeoutExpired:
        return {}
    if done.returncode:
        return {}
    return dict(row.split("\t") for row in done.stdout.splitlines())
