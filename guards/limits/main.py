"""`with-limits [options] -- CMD…`: run one command with its whole process tree inside limits. The launcher calls main()."""

from __future__ import annotations

import posix
import sys
import time

from guards.limits import options, run
from guards.limits.codes import OURS
from guards.limits.options import UsageError
from guards.limits.procfs import exhausted
from guards.limits.say import say
from guards.limits.store import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.layout import Layout

SUBCOMMANDS = {
    "status": "guards.limits.status",
    "history": "guards.limits.chronicle",
}
"""First words that are ours; a program of that name is run as `with-limits -- status`."""


def main(argv: list[str], layout: Layout) -> int:
    """`argv` without the program's name. Ends the process with the command's code or by its signal; returns the code of everything else."""
    began = time.monotonic()
    try:
        if argv and argv[0] in SUBCOMMANDS:
            module = __import__(SUBCOMMANDS[argv[0]], fromlist=["main"])
            return told(lambda: module.main(argv[1:], layout))
        asked = options.read(argv)
        if asked.help or asked.version or asked.check_headroom:
            from guards.limits import inquire

            return told(lambda: inquire.answer(asked, layout))
        posix._exit(run.run(asked, layout, began))  # noqa: SLF001  the interpreter's own farewell costs a millisecond
    except UsageError as error:
        say(f"with-limits: {error}\nwith-limits --help shows the options")
    except StoreError as error:
        say(f"with-limits: {error}; without it nothing is admitted, so nothing was run")
    except KeyboardInterrupt:
        from guards.limits import signals

        signals.die_of(2)
    except Exception as error:  # noqa: BLE001  whatever it is: our code, never a traceback, never the command's code
        say(f"with-limits: {_words(error)}")
    return OURS


def _words(error: Exception) -> str:
    """What failed in us, with what can be done where that is known."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, OSError) and exhausted(error):
        return f"{text}; without free descriptors no limit can be kept, so nothing runs on: raise `ulimit -n`, or close files"
    return text


def told(answer: Callable[[], int]) -> int:
    """The code of an answer, after what it printed has left this process: launchers end without the interpreter's own farewell.

    An answer that nobody can be given ends the process here, before that farewell complains of it once more.
    """
    if sys.stdout is None:
        say("with-limits: standard output is closed, so the answer cannot be given")
        return OURS
    try:
        code = answer()
        sys.stdout.flush()
    except BrokenPipeError:  # who asked has read enough
        posix._exit(OURS)  # noqa: SLF001
    except OSError as error:
        if error.filename is not None:
            raise
        say(f"with-limits: the answer cannot be written to standard output: {error.strerror or error}")
        posix._exit(OURS)  # noqa: SLF001
    return code
