"""Descriptors that a redirection opens for reading, and what reads them again: `exec 3< FILE` and `<&3`."""

from __future__ import annotations

from policy.flow import expand
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import Opened, State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Command, Effect, Redirect

FIRST = 10
"""The first number that a shell gives to a descriptor that has a name (`{fd}<`)."""
INPUT = ("", "0")


def put(  # noqa: PLR0913, PLR0917
    redirect: Redirect, text: Value | None, path: str | None, effects: tuple[Effect, ...], state: State, where: Where
) -> None:
    """Open a descriptor: standard input goes into `where`, another one waits there until something reads it."""
    number = redirect.descriptor
    if number in INPUT:
        where.stdin, where.stdin_path, where.piped_from = text, path, ()
        return
    if number[:1] == "{":
        name, number = number[1:-1], str(FIRST + len(where.descriptors) + len(state.descriptors))
        state.assign(name, (Value(number, number),))
    _remember(number, (text, path, effects), state, where)


def _remember(number: str, opened: Opened, state: State, where: Where) -> None:
    where.descriptors = {**where.descriptors, number: opened}
    text, path, _effects = opened
    if text is not None or path is not None:
        state.files[f"/dev/fd/{number}"] = text.text if text is not None else state.files.get(path or "")


def again(walk: Walk, redirect: Redirect, state: State, where: Where) -> tuple[Effect, ...]:
    """`<&N`: read what stands in a descriptor that was opened before. Returns the effects of having opened it, which are this command's too."""
    if redirect.target is None:
        return ()
    values = expand.single(walk, state, redirect.target)
    number = (values[0].text or "").rstrip("-") if len(values) == 1 else ""
    opened = where.descriptors.get(number) or state.descriptors.get(number)
    if opened is None:
        return ()
    text, path, effects = opened
    if redirect.descriptor in INPUT:
        where.stdin, where.stdin_path, where.piped_from = text, path, ()
    else:
        _remember(redirect.descriptor, opened, state, where)
    return effects


def for_good(command: Command) -> bool:
    """Whether its redirections stay with the shell: `exec` without a command."""
    words = [word.value for word in command.words]
    return words[-1:] == ["exec"] and all(word in {"exec", "command", "builtin"} for word in words)
