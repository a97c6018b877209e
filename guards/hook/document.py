"""Read the host's one JSON document from a descriptor, within stated bounds: never wait for ever, never grow for ever."""

from __future__ import annotations

import posix
import time

from guards.hook.call import Unreadable
from guards.wire import Malformed, decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WAIT = 2.0
"""Seconds until the document must be complete."""
LIMIT = 4 << 20
"""Bytes; a longer payload is refused unread."""
TOO_LONG = f"it is longer than {LIMIT >> 20} MiB"
_CHUNK = 1 << 16


def read_document(descriptor: int | None = 0, head: bytes = b"") -> dict[str, Any]:
    """The object that the host sent; `head` is what the launcher has read of it already, all of it when `descriptor` is None.

    The end of the input is the end of the document; a host that leaves the pipe open is answered when the document is whole and nothing
    more lies in the pipe. Raises Unreadable for everything else: too late, too long, cut off, not JSON, not UTF-8, not an object.
    """
    if descriptor is None:
        if len(head) > LIMIT:
            raise Unreadable(TOO_LONG)
        return _decoded(head)
    raw = head
    deadline = time.monotonic() + WAIT
    while True:
        if not _readable(descriptor, 0.0):
            if raw.rstrip().endswith(b"}") and (whole := _if_whole(raw)) is not None:
                return whole
            if not _readable(descriptor, deadline - time.monotonic()):
                raise Unreadable(f"it was not complete after {WAIT:g} seconds")
        chunk = posix.read(descriptor, _CHUNK)
        if not chunk:
            return _decoded(raw)
        raw += chunk
        if len(raw) > LIMIT:
            _drain(descriptor, deadline)
            raise Unreadable(TOO_LONG)


def _readable(descriptor: int, seconds: float) -> bool:
    import select  # a file of its own in many builds, and seldom needed: the launcher has mostly seen the end

    return seconds >= 0 and bool(select.select([descriptor], [], [], seconds)[0])


def _if_whole(raw: bytes) -> dict[str, Any] | None:
    try:
        return _decoded(raw)
    except Unreadable:
        return None


def _decoded(raw: bytes) -> dict[str, Any]:
    try:
        value = decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8") from None
    except Malformed as error:
        raise Unreadable(str(error)) from None
    if not isinstance(value, dict):
        raise Unreadable("it is no JSON object")
    return value


def _drain(descriptor: int, deadline: float) -> None:
    """Take the rest, so that the host sees our answer and not a broken pipe."""
    while _readable(descriptor, deadline - time.monotonic()):
        if not posix.read(descriptor, _CHUNK):
            return
