"""How a person is asked from inside a command: on the terminal of the session, by a notify command, or not at all."""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATIENCE = 120


def on_terminal(text: str, path: str = "") -> bool | None:
    """Ask on the session's terminal: True for y or yes, False for anything else, None when there is no terminal or nobody answers in time.

    `path` is the terminal that `gatepost run` noted for the session; the command's own controlling terminal is not asked unless given,
    since an agent may sit at it. Questions come one after another, so that no answer is taken for another question's, and what was typed
    before a question is no answer to it.
    """
    import fcntl
    import select
    import termios

    try:
        opened = posix.open(path, posix.O_RDWR | posix.O_NOCTTY | posix.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        if not posix.isatty(opened):
            return None
        fcntl.flock(opened, fcntl.LOCK_EX)
        termios.tcflush(opened, termios.TCIFLUSH)
        posix.write(opened, f"\r\n{text} [y/N] ".encode("utf-8", "backslashreplace"))
        ready = select.poll()
        ready.register(opened, select.POLLIN)
        if not ready.poll(PATIENCE * 1000):
            posix.write(opened, b"(no answer)\r\n")
            return None
        return posix.read(opened, 64).strip().lower() in (b"y", b"yes")
    except (OSError, termios.error):
        return None
    finally:
        posix.close(opened)


def by_command(argv: Sequence[str], text: str, environment: Mapping[str, str]) -> bool | None:
    """Ask through a notify command, `argv` with the text as its last word: exit 0 is yes, 1 is no, anything else that nobody could be asked."""
    from guards.shim import ask

    if not argv or not argv[0].startswith("/"):
        return None
    try:
        answer = ask.run((*argv, text), environment)
    except OSError:
        return None
    return {0: True, 1: False}.get(answer.status)
