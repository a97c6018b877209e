"""Compiles the policy anew when a source is newer than what was compiled: a child of its own, since a shim runs without site-packages."""

from __future__ import annotations

import posix

from guards.children import Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout


def refresh(layout: Layout, project: str = "") -> bool:
    """Run `gatepost compile` of this installation, silently, or of the trusted project in a folder.

    It is given no PATH: that of a judged program must not say what stands behind our shims. False when it failed; the caller then finds
    the same stale files as before.
    """
    what = ["--project", project] if project else ["--if-stale"]
    argv = [layout.python, "-I", layout.compiled + "/cli.py", "compile", *what]
    quiet = [(posix.POSIX_SPAWN_OPEN, number, "/dev/null", posix.O_RDWR, 0) for number in (0, 1, 2)]
    environment = {name: value for name, value in posix.environ.items() if name in (b"HOME", b"LANG")}
    with Told():
        try:
            child = posix.posix_spawn(layout.python, argv, environment, file_actions=quiet)
        except OSError:
            return False
        return posix.waitstatus_to_exitcode(posix.waitpid(child, 0)[1]) == 0
