"""What stood in a settings file before us, given back byte for byte where nobody has changed it since."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

from guards.install.change import Change, Conflict, read

if TYPE_CHECKING:
    from collections.abc import Callable


def restored(path: str, now: str, without: str, registered: Callable[[str | None], str]) -> Change:
    """The change that takes ours out of a file: back to a copy that we had kept when ours alone came since, else to `without`.

    `now` is the file's text, `without` that less what is ours; `registered` gives a former text (None: no file) with ours put in. A copy
    that was given back is not needed any more, nor is one of what we give up: both can be made from each other.
    """
    for copy in copies(path):
        try:
            before = read(copy)
        except Conflict:
            continue
        if before is not None and (before == without or _gives(registered, before, now)):
            return Change(path, now, before, keep=False, spent=(copy,))
    if _gives(registered, None, now):
        return Change(path, now, None, keep=False)
    return Change(path, now, without)


def copies(path: str) -> list[str]:
    """Dated copies of a file that `Change.make` has left, the newest first."""
    return sorted(glob.glob(f"{glob.escape(os.path.realpath(path))}.gatepost-*.bak"), reverse=True)


def _gives(registered: Callable[[str | None], str], before: str | None, now: str) -> bool:
    try:
        return registered(before) == now
    except Conflict:
        return False
