"""The limiter's modules in one file (guards.install.pack says why and how). What every run needs is made at once, a backend when it is chosen."""

from __future__ import annotations

import subprocess

from guards.install import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.layout import Layout

EVERY_RUN = ("guards.layout", "guards.limits.main")
TOGETHER = (
    ("guards.limits.backends.group", "guards.limits.backends.cgroup2"),
    ("guards.limits.backends.cgroup1",),
    ("guards.limits.backends.proc", "guards.limits.sampling"),
    ("guards.limits.report", "guards.limits.deliver", "guards.limits.show", "guards.wire"),
    ("guards.limits.queue", "guards.limits.admission"),
    ("guards.limits.beat",),
)
"""What a run may need beyond that, made together when the first of them is asked for."""
LIBRARIES = ("_ctypes", "_json", "select", "resource")
"""Extension modules of the interpreter whose place is remembered too."""
PROBE = """
import sys
sys.path[:0] = {modules!r}
for name in {names!r}:
    __import__(name)
for name, module in sys.modules.items():
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "__future__"):
        print("code", name, source, sep="\\t")
for name in {libraries!r}:
    try:
        source = getattr(__import__(name), "__file__", None)
    except ImportError:
        continue
    if source:
        print("library", name, source, sep="\\t")
"""


def write(layout: Layout) -> None:
    """Replace the bundle. Raises OSError."""
    every, libraries = _probed(layout, (*EVERY_RUN, *(name for group in TOGETHER for name in group)))
    common, _ = _probed(layout, EVERY_RUN)
    pack.write(layout, "limits", every, [common, *TOGETHER], libraries)


def _probed(layout: Layout, names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """(modules, libraries), each name with its file, as a fresh interpreter imports them; empty when it cannot."""
    probe = PROBE.format(modules=layout.modules, names=tuple(names), libraries=LIBRARIES)
    command = [layout.python, "-I", "-S", "-c", probe]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=pack.PATIENCE)
    except subprocess.TimeoutExpired:
        return {}, {}
    rows = [row.split("\t") for row in done.stdout.splitlines()] if done.returncode == 0 else []
    modules, libraries = ({name: source for sort, name, source in rows if sort == kind} for kind in ("code", "library"))
    return modules, libraries
