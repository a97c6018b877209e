"""One start of a shim: who was called with what, and the three ways it can end: hand over, replace by another command, refuse."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import posix

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from guards.layout import Layout

REFUSED = 126
MISSING = 127
DEPTH = "GATEPOST_DEPTH"
DEEPEST = 12
"""How often a command may come through shims below itself where a loop is possible: real nesting is far below, a loop passes it in a blink."""


class Refused(Exception):  # noqa: N818
    """The command is not run; the message is whole and ends in the rule id."""


class Call(Record):
    """`argv` as the caller gave it, with its own first word, bytes decoded with surrogateescape; `real` is the program behind the shim.

    `kept` are the shim's notes: p and x for SIGPIPE and SIGXFSZ ignored, c for LC_CTYPE set, f for compiled rules that are newer than
    their sources.
    """

    program: str
    real: str
    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    layout: Layout
    kept: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments without the program's name."""
        return self.argv[1:]


def decoded(environment: Mapping[bytes, bytes], kept: str) -> dict[str, str]:
    """The environment as the caller gave it: without what Python itself added at its start."""
    found = {
        name.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for name, value in environment.items()
    }
    if "c" not in kept:
        found.pop("LC_CTYPE", None)
    return found


def hand_over(
    call: Call, argv: Sequence[str] | None = None, changes: Mapping[str, str | None] | None = None
) -> NoReturn:
    """Become the real program. `argv` replaces the arguments, `changes` sets variables (None removes). Does not return."""
    become(call, call.real, call.argv if argv is None else argv, changes)


def become(call: Call, program: str, argv: Sequence[str], changes: Mapping[str, str | None] | None = None) -> NoReturn:
    """Become `program` (an absolute path) with the caller's descriptors, signals and environment. Does not return."""
    for name, value in (changes or {}).items():
        if value is None:
            posix.unsetenv(name)
        else:
            posix.putenv(name, value)
    if "c" not in call.kept and "LC_CTYPE" not in (changes or {}):
        posix.unsetenv("LC_CTYPE")
    for letter, number in (("p", _signal.SIGPIPE), ("x", _signal.SIGXFSZ)):
        _signal.signal(number, _signal.SIG_IGN if letter in call.kept else _signal.SIG_DFL)
    try:
        posix.execv(program, list(argv))
    except OSError as error:
        say(f"gatepost: {program}: {error.strerror} [self/not-started]")
        posix._exit(MISSING if error.errno == 2 else REFUSED)  # noqa: SLF001


def deeper(environment: Mapping[str, str], program: str) -> dict[str, str]:
    """The variable that counts passages through shims, one further. Raises Refused for a command that keeps coming back."""
    text = environment.get(DEPTH, "")
    depth = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if depth >= DEEPEST:
        raise Refused(
            f"gatepost: {program} came back to its shim {depth} times in a row and was stopped: a wrapper or a script starts it again through PATH. "
            f"Let the wrapper call {program} by an absolute path. [self/recursion]"
        )
    return {DEPTH: str(depth + 1)}


def say(text: str) -> None:
    """One message on stderr; a closed or full stderr changes nothing."""
    data = (text + "\n").encode("utf-8", "backslashreplace")
    try:
        while data:
            data = data[posix.write(2, data) :]
    except OSError:
        pass
