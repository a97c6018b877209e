"""What $name and ${name…} stand for."""

from __future__ import annotations

from policy.flow import inside
from policy.flow.state import UNKNOWN
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.model import Piece

DEFAULTS = (":-", "-", ":=", "=")
ALTERNATES = (":+", "+")
REQUIRED = (":?", "?")
IFS = Value(" \t\n", " \t\n")
NUMBERS = frozenset({"$", "RANDOM", "SRANDOM", "BASHPID", "EPOCHSECONDS", "SECONDS"})
DIGITS = Value("4194305", "4194305")
"""What a parameter of NUMBERS holds: digits. This number is no process's, so that no path is there yet whose name has it."""
ITSELF = frozenset({"0", "BASH_SOURCE", "BASH_SOURCE[0]", "BASH_SOURCE[@]"})
SHELL = Value("./bash", "./bash")
"""What the request's own text is told of its name: no file, so that a folder found from it is the one that the request runs in."""


def values(walk: Walk, state: State, piece: Piece) -> tuple[Value, ...]:
    """All values that the parameter may have; (Value(None),) when nothing is known of it."""
    operator, name = piece.operator, piece.text
    if operator == "[":
        subscript, closed, rest = piece.operand.partition("]")
        if rest or not closed:
            return (Value(None),)
        operator, name = "", f"{name}[{subscript}]"
    found = named(walk, state, name)
    if operator in {"length", "indirect"}:
        return _about(walk, state, operator, found)
    if operator in DEFAULTS:
        chosen = _default(walk, state, piece, found)
        if operator[-1:] == "=" and name.isidentifier():
            state.assign(name, chosen)
        return chosen
    if operator in ALTERNATES:
        return _alternate(walk, state, piece, found)
    if not operator or operator in REQUIRED or found is None:
        return (found if operator in {"", *REQUIRED} else None) or (Value(None),)
    return _operated(walk, state, piece, found)


def separators(state: State) -> str:
    """What unquoted values are split at: IFS as the request set it, or blanks."""
    values = state.values.get("IFS")
    text = values[0].text if values is not None and len(values) == 1 else None
    return " \t\n" if text is None else (text or "\0")


def _about(walk: Walk, state: State, operator: str, found: tuple[Value, ...] | None) -> tuple[Value, ...]:
    """${#name} and ${!name}."""
    if found is None or len(found) != 1 or found[0].text is None or found[0].glob:
        return (Value(None),)
    if operator == "length":
        size = str(len(found[0].text))
        return (Value(size, size),)
    return named(walk, state, found[0].text) or (Value(None),)


def _alternate(walk: Walk, state: State, piece: Piece, found: tuple[Value, ...] | None) -> tuple[Value, ...]:
    operand = inside.operand(walk, piece.operand, state)
    if found is not None and all(value.text for value in found):
        return operand
    return (Value("", ""), *operand)


def _operated(walk: Walk, state: State, piece: Piece, found: tuple[Value, ...]) -> tuple[Value, ...]:
    operator = piece.operator
    if any(value.text is None or value.glob for value in found):
        return tuple(_trimmed_glob(value, operator) for value in found)
    from policy.flow import operators

    pattern = inside.operand(walk, piece.operand, state)
    if len(pattern) != 1 or pattern[0].text is None:
        return (Value(None),)
    return tuple(operators.apply(value.text or "", operator, pattern[0].text) for value in found)


def named(walk: Walk, state: State, name: str) -> tuple[Value, ...] | None:
    """The values of a name or special parameter, None when it is not known at all."""
    if state.references:
        name = _referred(state, name)
    if name in state.values:
        return state.values[name]
    if name in state.arrays:
        return state.arrays[name][:1] or (Value("", ""),)
    if name in ITSELF and "BASH_SOURCE" not in state.arrays and walk.here is not None and walk.here.own:
        return (SHELL,)
    if name.isdigit() or name in {"@", "*"}:
        return _positional(state, int(name)) if name.isdigit() else _all(state)
    if name.endswith("]"):
        return _element(state, name)
    return _outer(walk, state, name)


def _referred(state: State, name: str) -> str:
    """The name that a name reference (`declare -n`) stands for; of an array's element the array's."""
    array, bracket, subscript = name.partition("[")
    return state.references.get(array, array) + bracket + subscript


def _outer(walk: Walk, state: State, name: str) -> tuple[Value, ...] | None:
    """A variable that the request does not set."""
    if name == "IFS":
        return (IFS,)
    if name == "PWD":
        return tuple(Value(path, path or "") for path in state.cwd)
    if name in NUMBERS:
        return (DIGITS,)
    if name == "HOME":
        home = walk.home(state)
        return None if home is None else (Value(home, home),)
    text = walk.environment.get(name)
    return None if text is None else (Value(text, text),)


def _default(walk: Walk, state: State, piece: Piece, found: tuple[Value, ...] | None) -> tuple[Value, ...]:
    operand = inside.operand(walk, piece.operand, state)
    if found is None:
        # not set by the request: it may come from outside, or be the default
        return (*operand, Value(None)) if not walk.sealed else operand
    kept = tuple(value for value in found if value.text != "")
    if len(kept) == len(found):
        return found
    return (*kept, *operand)


def _positional(state: State, number: int) -> tuple[Value, ...] | None:
    if number == 0 or state.positional is None:
        return None
    if number <= len(state.positional) and not any(value.splits for value in state.positional[:number]):
        return (state.positional[number - 1],)
    return (Value("", ""),) if not any(value.splits for value in state.positional) else None


def _all(state: State) -> tuple[Value, ...] | None:
    if state.positional is None:
        return None
    if any(value.text is None for value in state.positional):
        return (UNKNOWN,)
    text = " ".join(value.text or "" for value in state.positional)
    return (Value(text, text),)


def _element(state: State, name: str) -> tuple[Value, ...] | None:
    array, _, subscript = name[:-1].partition("[")
    known = state.arrays.get(array)
    if known is None:
        return state.values.get(array) if subscript in {"0", "@", "*"} else None
    if subscript in {"@", "*"}:
        if any(value.text is None for value in known):
            return None
        text = " ".join(value.text or "" for value in known)
        return (Value(text, text),)
    if subscript.lstrip("-").isdigit() and -len(known) <= int(subscript) < len(known):
        return (known[int(subscript)],)
    keyed = [value.text for value in known if (value.text or "").startswith(f"[{subscript}]=")]
    if keyed:
        text = (keyed[-1] or "")[len(subscript) + 3 :]
        return (Value(text, text),)
    return None


def _trimmed_glob(value: Value, operator: str) -> Value:
    """What stays known of a pattern or a partly known value when an end is cut off: its beginning, for cuts at the end."""
    if value.text is None:
        return Value(None)
    if operator in {"%", "%%"}:
        return Value(value.text + "*", value.known, glob=True)
    return Value(None)
