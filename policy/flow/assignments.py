"""NAME=value before a command, or alone."""

from __future__ import annotations

from policy.flow import expand, inside
from policy.flow.state import ALTERNATIVES, LONGEST, UNKNOWN
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Assignment, Command


VARIABLE = 5
"""What a variable before a command counts, which several rules look at."""
PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND"})
"""Variables that a shell expands, or runs, of its own accord."""


def apply(walk: Walk, command: Command, state: State, where: Where) -> None:
    """Alone, assignments change the shell's variables; before a command they are its environment only (`where` is changed)."""
    if not command.words:
        for assignment in command.assignments:
            _keep(walk, assignment, state)
            if assignment.name in PROMPTS:
                _prompt(walk, assignment.name, state.values.get(assignment.name, ()), state, where)
        return
    given: list[tuple[str, Value]] = []
    for assignment in command.assignments:
        values = _values(walk, assignment, state)
        given.append((assignment.name, values[0] if len(values) == 1 else Value(None)))
        if assignment.name in PROMPTS:
            _prompt(walk, assignment.name, values, state, where)
    where.environment = (*where.environment, *given)
    walk.step(where, VARIABLE * len(given))


def _prompt(walk: Walk, name: str, values: Sequence[Value], state: State, where: Where) -> None:
    """A prompt's substitutions run when it is shown; PROMPT_COMMAND is run whole."""
    for value in values:
        text = value.text or ""
        if name != "PROMPT_COMMAND":
            text = f': "{text}"' if ("$(" in text or "`" in text) and '"' not in text else ""
        if text:
            walk.script(text, state.copy(), where.under(name, builtins=True), quiet=True)


def _keep(walk: Walk, assignment: Assignment, state: State) -> None:
    name, word = state.references.get(assignment.name, assignment.name), assignment.word
    if word.pieces and word.pieces[0].kind == "array":
        elements = _elements(walk, word.pieces[0].text, state)
        before = state.arrays.get(name, state.values.get(name, ())) if assignment.append else ()
        state.arrays[name] = (*before, *elements)
        state.values.pop(name, None)
        return
    values = _values(walk, assignment, state)
    if assignment.subscript is not None:
        known = state.arrays.get(name, ())
        subscript = assignment.subscript
        if not subscript.isdigit() and "$" not in subscript:
            state.assign(f"{name}[{subscript}]", values)
        if subscript.isdigit() and int(subscript) == len(known) and len(values) == 1:
            state.arrays[name] = (*known, values[0])
        else:
            state.arrays[name] = (*known, *values, UNKNOWN)
        return
    state.assign(name, values)


def _values(walk: Walk, assignment: Assignment, state: State) -> tuple[Value, ...]:
    values = expand.single(walk, state, assignment.word)
    if not assignment.append:
        return values
    from policy.flow import parameters

    before = parameters.named(walk, state, assignment.name) or (Value("", ""),)
    joined = [_joined(first, second) for first in before for second in values]
    return tuple(joined[:ALTERNATIVES]) if len(joined) <= ALTERNATIVES else (Value(None),)


def _joined(first: Value, second: Value) -> Value:
    if first.text is None or len(first.text) > LONGEST:
        return Value(None)
    text = None if second.text is None else first.text + second.text
    return Value(text, first.text + second.known, first.glob or second.glob)


def _elements(walk: Walk, source: str, state: State) -> list[Value]:
    text = source.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return inside.inline(walk, text, state) if text.strip() else []
