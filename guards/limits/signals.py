"""Signals of the supervisor: caught as bytes on a pipe, so that one poll waits for everything; the child starts as if nobody had touched them."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix
import sys

from guards.limits.procfs import own

PASSED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGWINCH")
PASSED_NUMBERS = frozenset(getattr(_signal, name) for name in PASSED_ON)
ENDING = frozenset(getattr(_signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"))
SET_BY_PYTHON = {"SIGPIPE": _signal.SIGPIPE, "SIGXFSZ": getattr(_signal, "SIGXFSZ", _signal.SIGPIPE)}
"""Ignored by the interpreter itself."""
FROM_TERMINAL = frozenset(getattr(_signal, name) for name in ("SIGINT", "SIGQUIT", "SIGWINCH"))
"""Sent by a terminal to its whole foreground group: a command in our own group has them already."""


def has_terminal() -> bool:
    """Whether this process has a controlling terminal, also when stdin is a file or a pipe."""
    try:
        if posix.isatty(0):
            return True
    except OSError:
        pass
    this = own()
    return this is not None and this.terminal != 0


def _caught(_number: int, _frame: object) -> None:
    """Being caught is all: the number arrives on the wake-up pipe."""


class Signals:
    """What is caught while a command runs. `descriptor` becomes readable; `pending()` gives the numbers that came."""

    def __init__(self, *, terminal: bool) -> None:
        self.terminal = terminal
        self.descriptor, self._writer = posix.pipe()
        posix.set_blocking(self.descriptor, False)
        posix.set_blocking(self._writer, False)
        _signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._before: dict[int, object] = {}
        for name in (*PASSED_ON, "SIGCHLD", *(() if terminal else ("SIGTSTP",))):
            number = getattr(_signal, name)
            before = _signal.getsignal(number)
            if before != _signal.SIG_IGN or name == "SIGCHLD":
                self._before[number] = before
                _signal.signal(number, _caught)

    def pending(self) -> list[int]:
        try:
            return list(posix.read(self.descriptor, 512))
        except BlockingIOError:
            return []

    def soon(self, seconds: float) -> list[int]:
        """While all signals are blocked: one that is caught and comes within so many seconds. A poll would be dear to import for that."""
        if not hasattr(_signal, "sigtimedwait"):
            return []
        came = _signal.sigtimedwait(self._before, max(0.0, seconds))
        return [] if came is None else [came.si_signo]

    def passes_on(self, number: int) -> bool:
        return number in PASSED_NUMBERS and not (self.terminal and number in FROM_TERMINAL)

    def reset_in_child(self) -> None:
        """To what a program expects at its start. SIGPIPE and SIGXFSZ were ignored by the interpreter itself."""
        _signal.set_wakeup_fd(-1)
        for number in (*self._before, *set_by_python(), _signal.SIGINT):
            if number not in self._before and number == _signal.SIGINT and _signal.getsignal(number) == _signal.SIG_IGN:
                continue
            _signal.signal(number, _signal.SIG_DFL)


def set_by_python() -> tuple[int, ...]:
    """Those that a command must find as they are by default: the compiled launcher names by -X what was ignored before us."""
    return tuple(number for name, number in SET_BY_PYTHON.items() if name not in sys._xoptions)  # noqa: SLF001


def block_all() -> set[int]:
    """Block every signal, around a fork; returns the mask for restore()."""
    before: set[int] = _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
    return before


def restore(mask: set[int]) -> None:
    _signal.pthread_sigmask(_signal.SIG_SETMASK, mask)


def die_of(number: int) -> None:
    """End this process by the signal that ended its command, so that a shell sees what it would have seen. Leaves no core file of ours."""
    import resource

    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if number not in (_signal.SIGKILL, _signal.SIGSTOP):
            _signal.signal(number, _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [number])
        posix.kill(posix.getpid(), number)
    except (OSError, ValueError):
        pass
    posix._exit(128 + number)  # noqa: SLF001
