"""`with-limits [options] -- CMD…`: run one command with its whole process tree inside limits. The launcher calls main()."""

from __future__ import annotations

import posix
import time

from guards.limits import options, report, run
from guards.limits.options import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

SUBCOMMANDS = {
    "status": "guards.limits.status",
    "history": "guards.limits.history",
}
"""First words that are ours; a program of that name is run as `with-limits -- status`."""


def main(argv: list[str], layout: Layout) -> int:
    """`argv` without the program's name. Returns the exit code; does not return when the command died of a signal: we die of it too."""
    began = time.monotonic()
    try:
        if argv and argv[0] in SUBCOMMANDS:
            module = __import__(SUBCOMMANDS[argv[0]], fromlist=["main"])
            return int(module.main(argv[1:], layout))
        asked = options.read(argv)
        if asked.help or asked.version or asked.check_headroom:
            from guards.limits import inquire

            return inquire.answer(asked, layout)
        return run.run(asked, layout, began)
    except UsageError as error:
        say(f"with-limits: {error}\nwith-limits --help shows the options")
    except Exception as error:  # noqa: BLE001  whatever it is: our code, never a traceback, never the command's code
        say(f"with-limits: {type(error).__name__}: {error}")
    return report.OURS


def say(text: str) -> None:
    """One line on standard error; a closed one is no reason to fail."""
    try:
        posix.write(2, (text + "\n").encode("utf-8", "surrogateescape"))
    except OSError:
        return
