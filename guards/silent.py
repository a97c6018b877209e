"""How many requests the front has let pass by itself: STATE/silent, a byte for each, which tells the hour when the front is a program.

Nothing else is known of them, since the front writes no log. The hour is kept as 64 + hours since 1970 modulo 192; a front that is a script has
no clock and writes a full stop.
"""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

FIRST, AROUND = 64, 192
BLOCK = 65536


def path(layout: Layout) -> str:
    """The file that the front makes one byte longer with each request that it lets pass."""
    return f"{layout.state}/silent"


def total(layout: Layout) -> int:
    """How many since the installation was made."""
    try:
        return os.stat(path(layout)).st_size
    except OSError:
        return 0


def since(layout: Layout, moment: float) -> int | None:
    """How many since `moment`, which lies less than a week back; None where the front has no clock. Hours count whole."""
    now, first = int(time.time()) // 3600, int(moment) // 3600
    found = 0
    try:
        with open(path(layout), "rb") as file:
            if os.fstat(file.fileno()).st_mtime < moment:
                return 0
            end = file.seek(0, os.SEEK_END)
            while end:
                start = max(0, end - BLOCK)
                file.seek(start)
                for byte in reversed(file.read(end - start)):
                    if byte < FIRST:
                        return None
                    if now - (now - (byte - FIRST)) % AROUND < first:
                        return found
                    found += 1
                end = start
    except OSError:
        return 0
    return found
