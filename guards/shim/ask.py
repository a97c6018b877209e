"""Runs a program and reads what it prints: stdin is empty, stderr kept apart, the caller's own streams are left alone."""

from __future__ import annotations

import posix

from guards.children import Told
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Answer(Record):
    """Exit status (negative for a signal), stdout and stderr."""

    status: int
    output: str
    errors: str


def run(argv: Sequence[str], environment: Mapping[str, str], changes: Mapping[str, str] | None = None) -> Answer:
    """Run `argv` (first word an absolute path) and wait. Raises OSError when it cannot be started."""
    given: dict[str, str] = {**environment, **(changes or {})}
    out, out_end = posix.pipe()
    errors, errors_end = posix.pipe()
    actions = [
        (posix.POSIX_SPAWN_OPEN, 0, "/dev/null", posix.O_RDONLY, 0),
        (posix.POSIX_SPAWN_DUP2, out_end, 1),
        (posix.POSIX_SPAWN_DUP2, errors_end, 2),
    ]
    with Told():
        try:
            child = posix.posix_spawn(argv[0], list(argv), given, file_actions=actions)
        except OSError:
            for opened in (out, out_end, errors, errors_end):
                posix.close(opened)
            raise
        posix.close(out_end)
        posix.close(errors_end)
        texts = _drain(out, errors)
        status = posix.waitstatus_to_exitcode(posix.waitpid(child, 0)[1])
    return Answer(status, *(text.decode("utf-8", "surrogateescape") for text in texts))


def _drain(*ends: int) -> list[bytes]:
    """What comes out of each end until all are closed."""
    import select

    found = dict.fromkeys(ends, b"")
    waiting = select.poll()
    for end in ends:
        waiting.register(end, select.POLLIN | select.POLLHUP)
    left = len(ends)
    while left:
        for end, _ in waiting.poll():
            part = posix.read(end, 65536)
            found[end] += part
            if not part:
                waiting.unregister(end)
                posix.close(end)
                left -= 1
    return list(found.values())
