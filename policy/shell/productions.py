"""bashlex's productions with our actions: one function for each of its p_ functions, from the values of the right side to that of the left.

A list of commands is a node, or a Python list: nodes with the terminal that joins them between, and perhaps one at the end.
"""

from __future__ import annotations

from policy.shell.nodes import Node, Redirection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.shell.nodes import Token, Unit

    Values = list[Any]

# --- words and redirections


def _list_of(values: Values) -> Any:
    if len(values) == 1:
        return [values[0]]
    values[0].append(values[-1])
    return values[0]


def _redirection(values: Values) -> Redirection:
    descriptor = values[0] if len(values) == 3 else None
    return Redirection(descriptor, values[-2], values[-1])


def _simple(values: Values) -> Node:
    if len(values) == 1:
        start, end = _extent(values[0])
        return Node("simple", start, end, [values[0]])
    node: Node = values[0]
    node.parts.append(values[1])
    node.end = _extent(values[1])[1]
    return node


def _extent(item: Token | Redirection) -> tuple[int, int]:
    if isinstance(item, Redirection):
        first = item.descriptor or item.operator
        return first[1], item.target[2]
    return item[1], item[2]


def _redirected(values: Values) -> Node:
    node: Node = values[0]
    if len(values) == 2:
        node.redirections.extend(values[1])
        node.end = values[1][-1].target[2]
    return node


# --- compound commands


def _compound(kind: str, values: Values, parts: list[Any]) -> Node:
    return Node(kind, values[0][1], values[-1][2], parts)


def _shell_command(values: Values) -> Node:
    if len(values) == 1:
        return values[0]  # type: ignore[no-any-return]
    return _compound("loop", values, [("condition", values[1]), ("body", values[3])])


def _for(values: Values) -> Node:
    node = _compound("select" if values[0][0] == "SELECT" else "for", values, [("body", values[-2])])
    node.name = values[1]
    if any(isinstance(value, tuple) and value[0] == "IN" for value in values):
        node.words = next((value for value in values[4:5] if isinstance(value, list)), [])
    return node


def _arith_for(values: Values) -> Node:
    node = _compound("for", values, [("body", values[-2])])
    node.name = values[1]
    return node


def _case(values: Values) -> Node:
    node = _compound("case", values, values[4] if len(values) in (6, 7) and values[4] else [])
    node.words = [values[1]]
    return node


def _clause(values: Values) -> Any:
    return [values[0]] if len(values) == 1 else _joined(values[:2])


def _clauses(values: Values) -> Any:
    return [values[0]] if len(values) == 2 else _joined(values[:2])


def _joined(values: Values) -> Any:
    values[0].append(values[1])
    return values[0]


def _pattern_list(values: Values) -> tuple[list[Token], Unit]:
    patterns = values[2] if isinstance(values[1], tuple) else values[1]
    return patterns, values[-1] or []


def _if(values: Values) -> Node:
    return _branches(values)


def _elif(values: Values) -> Node:
    """An elif is an if in the else branch of the one before."""
    return _branches(values)


def _branches(values: Values) -> Node:
    parts: list[Any] = [("condition", values[1]), ("then", values[3])]
    last = values[4] if len(values) > 4 else None
    if isinstance(last, Node):
        parts.append(("else", [last]))
    elif len(values) > 5:
        parts.append(("else", values[5]))
    node = _compound("if", values[:1] * 2, parts)
    node.end = values[-1][2] if isinstance(values[-1], tuple) else node.end
    return node


def _subshell(values: Values) -> Node:
    return _compound("subshell", values, [("", values[1])])


def _group(values: Values) -> Node:
    return _compound("group", values, [("", values[1])])


def _arith(values: Values) -> Node:
    return _compound("arith", values, [values[0]])


def _cond(values: Values) -> Node:
    return _compound("cond", values, [values[1]])


def _function(values: Values) -> Node:
    body: Node = values[-1]
    node = Node("function", values[0][1], body.end, [body])
    node.name = values[1] if values[0][0] == "FUNCTION" else values[0]
    return node


def _coproc(values: Values) -> Node:
    body = next(value for value in values if isinstance(value, Node))
    if isinstance(values[-1], list):
        body.redirections.extend(values[-1])
    node = Node("coproc", values[0][1], body.end, [body])
    if isinstance(values[1], tuple) and values[1][0] == "WORD":
        node.name = values[1]
    return node


# --- pipelines and lists


def _pipeline(values: Values) -> Node:
    """The members in reverse: the grammar is right recursive, and this way each member is moved once."""
    if len(values) == 1:
        return values[0]  # type: ignore[no-any-return]
    first, operator, _, rest = values
    if rest.kind != "pipeline":
        rest = Node("pipeline", first.start, rest.end, [rest])
    rest.parts += ["|" if operator[0] == "BAR" else "|&", first]
    rest.start = first.start
    return rest  # type: ignore[no-any-return]


def _pipeline_command(values: Values) -> Node:
    if len(values) == 1:
        return values[0]  # type: ignore[no-any-return]
    kind = "not" if isinstance(values[0], tuple) and values[0][0] == "BANG" else "time"
    inner = values[1] if isinstance(values[1], Node) else None
    start = values[0][1]
    return Node(kind, start, inner.end if inner else values[0][2], [inner] if inner else [])


def _first(values: Values) -> Any:
    return values[0]


def _second(values: Values) -> Any:
    return values[1]


def _compound_list(values: Values) -> Any:
    return values[-1]


def _terminated(values: Values) -> Any:
    if len(values) == 1:
        return values[0]
    items = _items(values[0])
    items.append(values[1][0])
    return items


def _sequence(values: Values) -> Any:
    if len(values) == 1:
        return values[0]
    items = _items(values[0])
    items.append(values[1][0])
    items.extend(_items(values[-1]))
    return items


def _items(value: Any) -> Any:
    """A list of commands; a single one stands for itself until it is joined to another."""
    return [value] if isinstance(value, Node) else value


ACTIONS = {
    "p_inputunit": _first,
    "p_word_list": _list_of,
    "p_redirection_heredoc": _redirection,
    "p_redirection": _redirection,
    "p_simple_command_element": _first,
    "p_redirection_list": _list_of,
    "p_simple_command": _simple,
    "p_command": _redirected,
    "p_shell_command": _shell_command,
    "p_for_command": _for,
    "p_arith_for_command": _arith_for,
    "p_select_command": _for,
    "p_case_command": _case,
    "p_function_def": _function,
    "p_function_body": _redirected,
    "p_subshell": _subshell,
    "p_coproc": _coproc,
    "p_if_command": _if,
    "p_group_command": _group,
    "p_arith_command": _arith,
    "p_cond_command": _cond,
    "p_elif_clause": _elif,
    "p_case_clause": _clause,
    "p_pattern_list": _pattern_list,
    "p_case_clause_sequence": _clauses,
    "p_pattern": _list_of,
    "p_list": _second,
    "p_compound_list": _compound_list,
    "p_list0": _terminated,
    "p_list1": _sequence,
    "p_simple_list_terminator": _first,
    "p_list_terminator": _first,
    "p_newline_list": None,
    "p_simple_list": _terminated,
    "p_simple_list1": _sequence,
    "p_pipeline_command": _pipeline_command,
    "p_pipeline": _pipeline,
    "p_timespec": _first,
    "p_empty": None,
    "None": None,
}

TRANSPARENT = (
    _first,
    _redirected,
    _shell_command,
    _compound_list,
    _terminated,
    _sequence,
    _pipeline,
    _pipeline_command,
)
"""Actions that hand on the value of a production of one symbol."""


def nothing(_values: Values) -> None:
    """The action of productions whose value nobody reads."""
