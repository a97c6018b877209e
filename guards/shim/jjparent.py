"""Whether jj itself started this git: by the parent's executable and command line, never by a variable."""

from __future__ import annotations

import posix

from guards import kin
from guards.shim import ask
from shims import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.shim.call import Call

STARTS_GIT = frozenset(("git", "gerrit", "workspace", ("util", "gc")))
"""jj's commands that run git for their own purpose. `util exec`, `run` and `fix` run other people's commands."""

VALUED = ("-R", "--repository", "--at-operation", "--at-op", "--color", "--config", "--config-file", "--config-toml")
DEEPEST = 5


def started_by_jj(call: Call) -> bool:
    """Whether our parent is the real jj, busy with one of its own commands."""
    parent = posix.getppid()
    words = _words(parent, call)
    if words is None:
        return False
    for _ in range(DEEPEST):
        sub = subcommand(words)
        if not sub:
            return False
        if sub[0] in STARTS_GIT or tuple(sub[:2]) in STARTS_GIT:
            return True
        words = alias(call, sub)
    return False


def subcommand(words: Sequence[str]) -> list[str]:
    """What follows jj's global options: the subcommand and its arguments."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in VALUED and rest:
            rest.pop(0)
    return rest


def _words(parent: int, call: Call) -> list[str] | None:
    """The parent's arguments if it is the real jj, also one that a wrapper script starts through the dynamic loader."""
    real = resolve.find("jj", call.environment.get("PATH", ""), call.layout.prefix + "/shims")
    line = [word.decode("utf-8", "surrogateescape") for word in kin.command_line(parent)]
    if real is None or not line:
        return None
    try:
        running = posix.readlink(f"/proc/{parent}/exe")
    except OSError:
        return None
    if resolve.identity(running) == resolve.identity(real):
        return line[1:]
    if not resolve.is_script(real):
        return None
    text = resolve.head(real)
    if running.rpartition("/")[2].startswith("ld"):
        started = next(
            (
                place
                for place, word in enumerate(line[1:], 1)
                if word.rpartition("/")[2] == "jj" and word.startswith("/")
            ),
            None,
        )
        return None if started is None or line[started].encode() not in text else line[started + 1 :]
    return line[1:] if running.encode("utf-8", "surrogateescape") in text else None


def alias(call: Call, sub: Sequence[str]) -> list[str]:
    """The words that a user's alias stands for, [] for no alias. An alias may not bear the name of one of jj's own commands."""
    program = resolve.find("jj", call.environment.get("PATH", ""), call.layout.prefix + "/shims")
    if program is None or not all(letter.isalnum() or letter in "-_" for letter in sub[0]):
        return []
    template = 'json(value) ++ "\\n"'
    try:
        answer = ask.run(
            (program, "--ignore-working-copy", "config", "list", f"aliases.{sub[0]}", "-T", template), call.environment
        )
    except OSError:
        return []
    if answer.status != 0 or not answer.output.strip():
        return []
    from guards.wire import Malformed, decode

    try:
        found = decode(answer.output.splitlines()[0])
    except Malformed:
        return []
    return [*map(str, found), *sub[1:]] if isinstance(found, list) else []
