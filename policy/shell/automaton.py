"""The LR automaton that runs bashlex's tables: one logical line of commands per call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from policy.shell.nodes import Node, Token, Unit
    from policy.shell.tokens import Lexer

    Action: TypeAlias = Callable[[list[object]], object]
    Bound: TypeAlias = tuple[list[tuple[str, int, Action | None]], list[Any], list[dict[str, int]]]


def line(tables: Bound, lexer: Lexer) -> Unit | Node | None:  # noqa: C901, PLR0912  # one loop: a call for each step would double its cost
    """The value of the next `inputunit`, None at the end of the list.

    A token that no action takes ends the list when it is the one that the lexer's caller waits for; that is how the end of a
    substitution is found, whatever case patterns and subshells stand in it.
    """
    productions, steps, goto = tables
    token: Token | None = _first(steps[0], lexer)
    if token is None:
        return None
    states = [0]
    values: list[object] = []
    state = 0
    while True:
        step = steps[state]
        if step.__class__ is dict:
            if token is None:
                token = lexer.token()
            choices: dict[str, int] = step
            step = choices.get(token[0])
            if step is None:
                token = lexer.close(token)
                step = choices.get("EOF")
                if step is None:
                    raise lexer.scanner.fail("the commands end too early", token[1])
        if step > 0:
            states.append(step)
            values.append(token)
            token = None
            state = step
            continue
        name, size, act = productions[-step]
        if size == 1 and act is None:
            state = states[-1] = goto[states[-2]][name]
            continue
        if size:
            if act is not None:
                taken = values[-size:]
                del values[-size:]
                values.append(act(taken))
            del states[-size:]
        else:
            values.append(None)
        if name == "inputunit":
            return values[0]  # type: ignore[return-value]
        state = goto[states[-1]][name]
        states.append(state)
        if name == "simple_command":
            token = _arguments(values[-1], token, lexer)


def _first(choices: dict[str, int], lexer: Lexer) -> Token | None:
    """The token that begins a line, behind empty ones; None where the list ends."""
    token = lexer.token()
    while token[0] == "NEWLINE":
        token = lexer.token()
    if token[0] != "EOF" and token[0] not in choices:
        token = lexer.close(token)
    return None if token[0] == "EOF" else token


def _arguments(node: object, token: Token | None, lexer: Lexer) -> Token:
    """Take words into a simple command until another token comes: what `simple_command : simple_command WORD` does, without the detour."""
    if token is None:
        token = lexer.token()
    parts: list[Token] = node.parts  # type: ignore[attr-defined]
    while token[0] == "WORD":
        parts.append(token)
        node.end = token[2]  # type: ignore[attr-defined]
        token = lexer.token()
    return token
