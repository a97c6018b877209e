"""The limiter's modules in one file (guards.install.pack says why and how). What every run needs is made at once, a backend when it is chosen."""

from __future__ import annotations

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
for name in {libraries!r}:
    try:
        __import__(name)
    except ImportError:
        continue
"""


def write(layout: Layout) -> bool:
    """Replace the bundle; as pack.write. Raises OSError."""
    every, libraries = _tried(layout, (*EVERY_RUN, *(name for group in TOGETHER for name in group)))
    common, _ = _tried(layout, EVERY_RUN)
    return pack.write(layout, "limits", every, [common, *TOGETHER], libraries)


def _tried(layout: Layout, names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What a fresh interpreter imports with the names; as pack.tried."""
    return pack.tried(layout, PROBE.format(modules=layout.modules, names=tuple(names), libraries=LIBRARIES))
