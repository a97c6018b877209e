"""Compiles with-limits and its box: a launcher that starts in a tenth of a shell's time, and what its commands are started through."""

from __future__ import annotations

import os

from shims import generate
from shims.compiler import build, listed, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from shims.generate import Launcher, Places

NAME, BOX = "with-limits", "box"


def write(layout: Places, compiler: str = "cc") -> bool:
    """Put the program in the place of the script BIN/with-limits, and at COMPILED/box. False where it cannot be made: there is no box then."""
    made = program(layout, compiler)
    if not made:
        if os.path.exists(f"{layout.compiled}/{BOX}"):
            os.unlink(f"{layout.compiled}/{BOX}")
        return False
    generate.put(f"{layout.bin}/{NAME}", made, 0o755)
    generate.put(f"{layout.compiled}/{BOX}", made, 0o755)
    return True


def program(layout: Places, compiler: str = "cc") -> bytes:
    """Both in one, b"" where it cannot be made."""
    launcher = next(launcher for launcher in generate.LAUNCHERS if launcher.name == NAME)
    return build(layout.compiled, "limits.c", {"TABLES": _tables(layout, launcher)}, (BOX, launcher.status), compiler)


def _tables(layout: Places, launcher: Launcher) -> str:
    words = (layout.python, *launcher.flags.split(), "-X", "subreaper", f"{layout.compiled}/{launcher.entry}")
    complaint = literal(f"{NAME}: {generate.MISSING}\n")
    return "\n".join([listed("front", words), f"static const char complaint[] = {complaint};"])
