"""A `cd` that fails: the shell stays where it is, and what follows `;` runs there."""

from __future__ import annotations

from policy.flow import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Command

MAKING_NOTHING = frozenset({
    "cd", "echo", "printf", "export", "set", "unset", "pwd", "shopt", "true", ":", "sh", "bash", "dash", "zsh", "ksh", "env", "timeout",
})  # fmt: skip
"""Commands that make no directory themselves, as those that only read; others may."""
LEAVING = frozenset({"exit", "return", "exec", "break", "continue"})
"""Commands after which what follows in the same list does not run."""


def cd(  # noqa: PLR0913, PLR0917
    walk: Walk, commands: Sequence[Command], index: int, before: tuple[str | None, ...], state: State, where: Where
) -> State | None:
    """The state in which a shell goes on after `;` when the command at `index`, which has just left `before`, cannot have found its directory.

    None when it can have, or when nothing follows a failure.
    """
    if _word(commands[index]) not in {"cd", "pushd"} or where.place != "local":
        return None
    if any(made.program not in MAKING_NOTHING and (not made.inert or made.program == "mktemp") for made in walk.out):
        return None
    if any(here is None or not outside.is_missing(walk, here) for here in state.cwd) or _ends(commands, index):
        return None
    stayed = state.copy()
    stayed.cwd = before
    return stayed


def _ends(commands: Sequence[Command], index: int) -> bool:
    """Whether nothing follows a failure: by `set -e` before, or by `|| exit` or the like after."""
    if any(_word(command) == "set" and _errexit(command) for command in commands[:index]):
        return True
    depth = len(commands[index].context)
    for command in commands[index + 1 :]:
        if len(command.context) == depth and command.joiner != "||":
            return False
        if _word(command) in LEAVING:
            return True
    return False


def _errexit(command: Command) -> bool:
    words = [word.value or "" for word in command.words[1:]]
    return "errexit" in words or any(word[:1] == "-" and word[1:2] != "-" and "e" in word for word in words)


def _word(command: Command) -> str:
    return (command.words[0].value or "") if command.words else ""
