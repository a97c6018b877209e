"""Reading a list of commands: the lexer's tokens through the LR automaton, one logical line after the other."""

from __future__ import annotations

from policy.shell import automaton, tables
from policy.shell.budget import Unparsed
from policy.shell.coverage import check_spans
from policy.shell.nodes import Node
from policy.shell.productions import ACTIONS, TRANSPARENT, nothing
from policy.shell.tokens import Lexer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.nodes import Unit
    from policy.shell.words import Scanner


def read(scanner: Scanner, start: int, closer: str) -> tuple[int, list[Unit], int]:
    """All commands from `start` to the closer (or the end): the offset behind it, one unit for each logical line, and the words in them."""
    lexer = Lexer(scanner, start, closer)
    units: list[Unit] = []
    while not lexer.done:
        unit = automaton.line(_bound(), lexer)
        if unit is not None:
            units.append(unit if isinstance(unit, list) else [unit])
            if not scanner.work.extglob and not scanner.work.zsh and _turns_extglob_on(units[-1]):
                scanner.work.extglob = True
    check_spans(scanner, start, lexer.pos, lexer.spans)
    return lexer.pos, units, lexer.words


def _turns_extglob_on(unit: Unit) -> bool:
    for node in unit:
        if isinstance(node, Node) and node.kind == "simple":
            values = [getattr(part[3], "value", None) for part in node.parts if isinstance(part, tuple)]
            if values[:2] == ["shopt", "-s"] and "extglob" in values:
                return True
    return False


_bound_tables: automaton.Bound | None = None
_source: object = None


def _bound() -> automaton.Bound:
    """The tables with each production's action in the place of its name; bound once for each loading."""
    global _bound_tables, _source
    loaded = tables.load()
    if _bound_tables is None or _source is not loaded:
        productions, action, goto, defaulted = loaded
        try:
            bound = [(name, size, _action(size, function)) for name, size, function in productions]
        except KeyError as error:
            raise Unparsed(f"the shell grammar has a production that is not known here: {error}") from error
        steps = [defaulted.get(state, choices) for state, choices in enumerate(action)]
        _bound_tables, _source = (bound, steps, goto), loaded
    return _bound_tables


def _action(size: int, function: str) -> automaton.Action | None:
    """None where the value of a production of one symbol is that symbol's."""
    action = ACTIONS[function]
    if action is None and size > 1:
        return nothing
    return None if size == 1 and action in TRANSPARENT else action
