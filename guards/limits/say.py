"""Our own words to the person, on standard error."""

from __future__ import annotations

import posix


def say(text: str) -> None:
    """One line; a closed standard error is no reason to fail."""
    try:
        posix.write(2, (text + "\n").encode("utf-8", "surrogateescape"))
    except OSError:
        return
