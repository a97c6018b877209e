"""uv: what runs a program of the project or a tool goes under with-limits, once however nested; everything else straight through."""

from __future__ import annotations

from guards.shim.call import Call, become, deeper
from guards.shim.judge import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

VALUED = frozenset(
    (
        "--allow-insecure-host", "--cache-dir", "--color", "--config-file", "--directory", "--project", "--python-preference",
        "--config-setting", "--python-fetch", "--preview-features",
    )
)  # fmt: skip
"""uv's global options that take the next word; with `=` the value is attached."""


def act(call: Call) -> None:
    """Put a run under limits, or return so that the call is handed over."""
    settle(call)
    if not runs_a_program(call.program, call.words):
        return
    limiter = call.layout.bin + "/with-limits"
    if limited():
        return
    changes = deeper(call.environment, call.program)
    become(call, limiter, (limiter, "--quiet", "--", call.real, *call.words), changes)


def runs_a_program(program: str, words: Sequence[str]) -> bool:
    """Whether this starts somebody's program: `uv run …`, `uv tool run …`, `uvx …`. Asking for help or a version does not."""
    rest = list(words) if program == "uvx" else _after(words, "run")
    if rest is None:
        tool = _after(words, "tool")
        rest = None if tool is None else _after(tool, "run")
    if rest is None:
        return False
    asked = rest[0] if rest else "--help"
    return asked not in ("-h", "--help", "-V", "--version")


def _after(words: Sequence[str], subcommand: str) -> list[str] | None:
    """What follows a subcommand that comes first after global options; None when another one does."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == subcommand:
            return rest
        if not word.startswith("-") or word in ("-h", "--help", "-V", "--version"):
            return None
        if word in VALUED and rest:
            rest.pop(0)
    return None


def limited() -> bool:
    """Whether we already run under with-limits: a live job that is our ancestor, or whose control group we are in."""
    import posix

    from guards.limits.nested import outer

    return bool(outer(posix.environ))
