"""Shell builtins that change what later commands meet, and plain programs that leave a copy or a link behind."""

from __future__ import annotations

from policy.flow.start import moved
from policy.flow.state import UNKNOWN
from policy.flow.stdin import DECODERS
from policy.model import Value
from policy.programs.paths import absolute, base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where


def start(walk: Walk, name: str, words: Sequence[Value], state: State, where: Where) -> bool:
    """Do what a builtin does to the state; True when nothing more has to be read of it."""
    if name in {"cp", "mv", "ln", "install"}:
        _copy(words, state)
        return False
    if not where.shell and name != "tee":
        return False
    action = ACTIONS.get(name)
    return action is not None and action(walk, words, state, where)


def _plain(words: Sequence[Value]) -> list[Value]:
    """Operands, when options are single letters before them."""
    rest = list(words[1:])
    while rest and (rest[0].text or "")[:1] in {"-", "+"} and len(rest[0].text or "") > 1:
        if rest.pop(0).text == "--":
            break
    return rest


def _cd(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    operands = [word for word in words[1:] if (word.text or "") not in {"-L", "-P", "-e", "--", "-q"}]
    if operands and operands[0].text == "-":
        state.cwd = _former(walk, state)
        return False
    before = state.cwd
    if not operands:
        home = walk.home(state)
        state.cwd = (home,)
    elif operands[0].splits and operands[0].text is None:
        state.cwd = (None,)
    else:
        state.cwd = moved(state.cwd, operands[0])
    if len(before) == 1:
        state.values["OLDPWD"] = (Value(before[0], before[0] or ""),)
    del where
    return False


def _former(walk: Walk, state: State) -> tuple[str | None, ...]:
    del walk
    known = state.values.get("OLDPWD", ())
    here = state.cwd
    if len(here) == 1:
        state.values["OLDPWD"] = (Value(here[0], here[0] or ""),)
    return (known[0].text,) if len(known) == 1 else (None,)


def _pushd(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    operands = _plain(words)
    if not operands or (operands[0].text or "")[:1] == "+":
        if state.stack:
            state.cwd, state.stack = state.stack[-1], (*state.stack[:-1], state.cwd)
        return False
    state.stack = (*state.stack, state.cwd)
    return _cd(walk, [words[0], operands[0]], state, where)


def _popd(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, words, where
    if state.stack:
        state.cwd, state.stack = state.stack[-1], state.stack[:-1]
    else:
        state.cwd = (None,)
    return False


def _export(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    flags = "".join(word.text or "" for word in words[1:] if (word.text or "")[:1] == "-")
    for word in _plain(words):
        text = word.text if word.text is not None else word.known
        name, equals, rest = text.partition("=")
        append = name.endswith("+")
        name = name.rstrip("+")
        if equals and name:
            value = Value(rest if word.text is not None else None, rest, word.glob)
            if append:
                before = state.values.get(name, (Value(None),))[0]
                value = Value(
                    None if before.text is None or value.text is None else before.text + value.text, before.known
                )
            _declare(walk, state, name, value)
        if words[0].text == "export" or "x" in flags:
            state.export(name)
    del where
    return False


def _declare(walk: Walk, state: State, name: str, value: Value) -> None:
    text = value.text or ""
    if text[:1] == "(" and text[-1:] == ")":
        state.arrays[name] = tuple(walk.inline(text[1:-1], state))
        state.values.pop(name, None)
        return
    state.assign(name, (value,))


def _unset(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in _plain(words):
        name = word.text or ""
        state.values.pop(name, None)
        state.arrays.pop(name, None)
        state.exported.pop(name, None)
        state.exports = None
        state.functions.pop(name, None)
    return False


def _read(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy.flow import stdin

    names, index = [], 1
    while index < len(words):
        text = words[index].text or ""
        if text[:1] == "-" and len(text) > 1:
            if text[-1] == "a" and index + 1 < len(words):
                state.arrays[words[index + 1].text or ""] = (UNKNOWN,)
            index += 2 if text[-1] in "adinNptu" else 1
            continue
        names.append(text)
        index += 1
    value = stdin.text(walk, state, where)
    lines = value.text.splitlines() if value is not None and value.text is not None else []
    for place, name in enumerate(names or ["REPLY"]):
        if len(names) <= 1 and lines:
            state.assign(name, [Value(line.strip(), line.strip()) for line in lines])
        elif lines:
            rest = [line.split(None, len(names) - 1) for line in lines]
            state.assign(
                name, [Value(parts[place], parts[place]) if place < len(parts) else Value("", "") for parts in rest]
            )
        else:
            state.assign(name, (Value(None),))
    return False


def _printf(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    if len(words) > 3 and words[1].text == "-v" and words[2].text:
        from policy.flow import output

        state.assign(words[2].text, (output.formatted(words[3:]),))
    del walk, where
    return False


def _set(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
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


def _shopt(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del state, where
    names = {word.text for word in words}
    walk.lastpipe = walk.lastpipe or {"-s", "lastpipe"} <= names
    return False


def _shift(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
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


def _alias(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in words[1:]:
        text = word.text if word.text is not None else word.known
        name, equals, rest = text.partition("=")
        if equals and word.text is not None:
            state.aliases[name] = rest
    return False


def _unalias(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    for word in words[1:]:
        state.aliases.pop(word.text or "", None)
    return False


def _eval(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy.programs.read import joined

    operands = list(words[1:])
    if operands and operands[0].text == "--":
        operands = operands[1:]
    if not operands:
        return False
    inner = where.under("eval", builtins=True)
    inner.redirects = where.redirects
    if DECODERS.intersection(where.feeders):
        inner.marks = (*inner.marks, "decoded")
    value = joined(operands)
    if value.text is not None:
        walk.script(value.text, state, inner)
        return True
    from policy.flow import partial

    partial.read(walk, value, state, inner, "")
    return False


def _source(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    operands = _plain(words)
    if operands:
        from policy.flow import files

        files.source(walk, operands, state, where)
    return False


def _trap(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    operands = _plain(words)
    if len(operands) > 1 and operands[0].text not in {None, "", "-"}:
        walk.script(operands[0].text or "", state.copy(), where.under("trap", builtins=True))
    return False


def _mapfile(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
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


def _hash(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    del walk, where
    if len(words) == 4 and words[1].text == "-p" and words[2].text and words[3].text:
        state.aliases[words[3].text] = words[2].text
    return False


def _tee(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    from policy.flow import stdin

    value = stdin.text(walk, state, where)
    appending = any((word.text or "")[:2] == "-a" or word.text == "--append" for word in words[1:])
    for word in words[1:]:
        path = absolute(word.text or "", state.cwd[0] if len(state.cwd) == 1 else None)
        if path is not None and (word.text or "")[:1] != "-":
            state.files[path] = None if value is None or appending else value.text
    return False


def _copy(words: Sequence[Value], state: State) -> None:
    """Remember `cp A B` and the like: B runs what A is, and holds what A holds."""
    operands = [word for word in words[1:] if (word.text or "-")[:1] != "-"]
    if len(operands) != 2 or len(state.cwd) != 1 or operands[0].text is None or operands[1].text is None:
        return
    source = absolute(operands[0].text, state.cwd[0])
    target = absolute(operands[1].text, state.cwd[0])
    if source is None or target is None or operands[0].glob:
        return
    targets = [target, target + "/" + base(source)]
    for path in targets:
        state.files[f"={path}"] = state.files.get(f"={source}") or source
        if source in state.files:
            state.files[path] = state.files[source]


def _let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """A quoted subscript is expanded again: what is substituted in it runs."""
    for word in words[1:]:
        text = word.text or ""
        bracket = text.find("[")
        if bracket >= 0 and ("$(" in text[bracket:] or "`" in text[bracket:]):
            inner = text[bracket + 1 :].rpartition("]")[0] or text[bracket + 1 :]
            walk.script(f': "{inner}"' if '"' not in inner else f": {inner}", state.copy(), where)
    return False


def _printf_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    if len(words) > 2 and words[1].text == "-v":
        _let(walk, words[1:3], state, where)
    return _printf(walk, words, state, where)


def _read_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    _let(walk, words, state, where)
    return _read(walk, words, state, where)


def _export_or_let(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    _let(walk, words, state, where)
    return _export(walk, words, state, where)


def _repeat(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    walk.start(words[2:], state, where.under("repeat", builtins=True))
    return True


def _pass_on(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """Words that stand before a command and leave it in this shell: command, builtin, exec, noglob, -."""
    name = words[0].text or ""
    rest = list(words[1:])
    while rest and (rest[0].text or "")[:1] == "-" and name not in {"-", "noglob", "nocorrect"}:
        flag = rest.pop(0).text or ""
        if flag == "--":
            break
        if name == "command" and any(letter in flag for letter in "vV"):
            return False
        if name == "exec" and flag.endswith("a") and rest:
            rest.pop(0)
    if not rest:
        return False
    inner = where.under(name, builtins=name != "exec")
    inner.marks = where.marks
    functions, aliases = state.functions, state.aliases
    state.functions, state.aliases = {}, {}
    walk.start(rest, state, inner)
    state.functions, state.aliases = {**functions, **state.functions}, {**aliases, **state.aliases}
    return True


ACTIONS = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "export": _export_or_let,
    "declare": _export_or_let,
    "typeset": _export_or_let,
    "local": _export_or_let,
    "readonly": _export_or_let,
    "unset": _unset,
    "read": _read_or_let,
    "printf": _printf_or_let,
    "test": _let,
    "[": _let,
    "let": _let,
    "set": _set,
    "shopt": _shopt,
    "shift": _shift,
    "alias": _alias,
    "unalias": _unalias,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "hash": _hash,
    "tee": _tee,
    "repeat": _repeat,
    "command": _pass_on,
    "builtin": _pass_on,
    "exec": _pass_on,
    "noglob": _pass_on,
    "nocorrect": _pass_on,
    "-": _pass_on,
}
