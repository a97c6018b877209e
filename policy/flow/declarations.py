"""Builtins that give names a meaning: export, declare, read, printf -v, set, alias, and what their quoted subscripts run."""

from __future__ import annotations

from policy.flow import inside
from policy.flow.state import UNKNOWN
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where


def operands(words: Sequence[Value]) -> list[Value]:
    """Operands, when options are single letters before them."""
    rest = list(words[1:])
    while rest and (rest[0].text or "")[:1] in {"-", "+"} and len(rest[0].text or "") > 1:
        if rest.pop(0).text == "--":
            break
    return rest


def export(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    flags = "".join(word.text or "" for word in words[1:] if (word.text or "")[:1] == "-")
    for word in operands(words):
        text = word.text if word.text is not None else word.known
        name, equals, rest = text.partition("=")
        append = name.endswith("+")
        name = name.rstrip("+")
        if equals and rest.isidentifier() and "n" in flags and words[0].text not in {"export", "readonly"}:
            state.references[name] = rest
        elif equals and name:
            value = Value(rest if word.text is not None else None, rest, word.glob)
            if append:
                before = state.values.get(name, (Value(None),))[0]
                value = Value(
                    None if before.text is None or value.text is None else before.text + value.text, before.known
                )
            source = word.raw.partition("=")[2]
            _declare(walk, state, name, Value(source, source) if source[:1] == "(" and source[-1:] == ")" else value)
        if words[0].text == "export" or "x" in flags:
            state.export(name)
    del where
    return False


def _declare(walk: Walk, state: State, name: str, value: Value) -> None:
    text = value.text or ""
    if text[:1] == "(" and text[-1:] == ")":
        state.arrays[name] = tuple(inside.inline(walk, text[1:-1], state))
        state.values.pop(name, None)
        return
    state.assign(name, (value,))


def unset(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in operands(words):
        name = word.text or ""
        state.values.pop(name, None)
        state.arrays.pop(name, None)
        state.exported.pop(name, None)
        state.exports = None
        state.functions.pop(name, None)
    return False


def read(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy.flow import stdin

    names, index, array = [], 1, ""
    while index < len(words):
        text = words[index].text or ""
        if text[:1] == "-" and len(text) > 1:
            if text[-1] == "a" and index + 1 < len(words):
                array = words[index + 1].text or ""
            index += 2 if text[-1] in "adinNptu" else 1
            continue
        names.append(text)
        index += 1
    value = stdin.text(walk, state, where)
    lines = value.text.splitlines() if value is not None and value.text is not None else []
    if array:
        parts = _split(lines[0], -1, state, where) if len(lines) == 1 and value is not None and not value.glob else []
        state.arrays[array] = tuple(Value(part, part) for part in parts) or (UNKNOWN,)
        return False
    for place, name in enumerate(names or ["REPLY"]):
        if len(names) <= 1 and lines:
            glob = value is not None and value.glob
            state.assign(
                name, [Value(line.strip(), line.strip().partition("*" if glob else "\n")[0], glob) for line in lines]
            )
        elif lines:
            rest = [_split(line, len(names) - 1, state, where) for line in lines]
            state.assign(
                name, [Value(parts[place], parts[place]) if place < len(parts) else Value("", "") for parts in rest]
            )
        else:
            state.assign(name, (Value(None),))
    return False


def _split(line: str, times: int, state: State, where: Where) -> list[str]:
    """A line as read takes it apart, by IFS where that stands before it or was set."""
    from policy.flow import parameters

    given = [value.text for name, value in where.environment if name == "IFS" and value.text]
    marks = given[-1] if given else parameters.separators(state)
    return line.split(None, times) if marks[:1].isspace() else line.split(marks[0], times)


def printf(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    if len(words) > 3 and words[1].text == "-v" and words[2].text:
        from policy.flow import output

        form = words[4:] if words[3].text == "--" else words[3:]
        state.assign(words[2].text, (output.formatted(walk, form),))
    del walk, where
    return False


def set_options(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    if any(
        word.text == "allexport" or ((word.text or "")[:1] == "-" and "a" in (word.text or "")) for word in words[1:]
    ):
        state.export("*")
    for place, word in enumerate(words[1:], 1):
        if word.text == "--":
            state.positional = tuple(words[place + 1 :])
            return False
        if word.text is None or (
            word.text[:1] not in {"-", "+"} and words[place - 1].text != "-o" and words[place - 1].text != "+o"
        ):
            if not (words[place - 1].text or "").endswith("o"):
                state.positional = tuple(words[place:])
            return False
    return False


def shopt(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del state, where
    names = {word.text for word in words}
    walk.lastpipe = walk.lastpipe or {"-s", "lastpipe"} <= names
    return False


def shift(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    count = words[1].text if len(words) > 1 else "1"
    if (
        state.positional is not None
        and count
        and count.isdigit()
        and not any(value.splits for value in state.positional)
    ):
        state.positional = state.positional[int(count) :]
    else:
        state.positional = None
    return False


def alias(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in words[1:]:
        text = word.text if word.text is not None else word.known
        name, equals, rest = text.partition("=")
        if equals and word.text is not None:
            state.aliases[name] = rest
    return False


def unalias(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in words[1:]:
        state.aliases.pop(word.text or "", None)
    return False


def mapfile(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy.flow import stdin

    name = words[-1].text or ""
    for place, word in enumerate(words[:-1]):
        if word.text == "-C":
            text = words[place + 1].text
            if text is not None:
                walk.script(text, state.copy(), where.under("mapfile", builtins=True))
    value = stdin.text(walk, state, where)
    known = value is not None and value.text is not None and "-t" in {word.text for word in words}
    state.arrays[name] = (
        tuple(Value(line, line) for line in (value.text or "").splitlines()) if known and value else (UNKNOWN,)
    )
    return False


def hash_name(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    if len(words) == 4 and words[1].text == "-p" and words[2].text and words[3].text:
        state.aliases[words[3].text] = words[2].text
    return False


def let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """A quoted subscript is expanded again: what is substituted in it runs."""
    for word in words[1:]:
        text = word.text or ""
        bracket = text.find("[")
        if bracket >= 0 and ("$(" in text[bracket:] or "`" in text[bracket:]):
            inner = text[bracket + 1 :].rpartition("]")[0] or text[bracket + 1 :]
            walk.script(f': "{inner}"' if '"' not in inner else f": {inner}", state.copy(), where)
    return False


def printf_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    if len(words) > 2 and words[1].text == "-v":
        let(walk, words[1:3], state, where)
    return printf(walk, words, state, where)


def read_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    let(walk, words, state, where)
    return read(walk, words, state, where)


def export_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    let(walk, words, state, where)
    return export(walk, words, state, where)
