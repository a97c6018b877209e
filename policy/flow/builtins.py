"""Shell builtins that change what later commands meet, and plain programs that leave a copy or a link behind."""

from __future__ import annotations

from policy.flow import copies, declarations
from policy.flow.start import moved
from policy.flow.stdin import DECODERS
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where


def start(walk: Walk, name: str, words: Sequence[Value], state: State, where: Where) -> bool:
    """Do what a builtin does to the state; True when nothing more has to be read of it."""
    if name in {"cp", "mv", "ln", "install"}:
        copies.copy(walk, words, state, where)
        return False
    if not where.shell and name not in FILLING:
        return False
    action = ACTIONS.get(name)
    return action is not None and action(walk, words, state, where)


FILLING = frozenset({"tee", "sponge", "dd"})
"""Programs, not builtins, that put into files what they read."""
ENDING = frozenset({"EXIT", "0", "HUP", "INT", "QUIT", "TERM", "1", "2", "3", "15"})
"""What a trap that cleans up waits for: it runs when the shell ends, with what the variables hold then."""


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
        state.cwd = (
            copies.reached(moved(state.cwd, operands[0]), state) if state.files else moved(state.cwd, operands[0])
        )
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
    operands = declarations.operands(words)
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
    operands = declarations.operands(words)
    if operands:
        from policy.flow import files

        files.source(walk, operands, state, where)
    return False


def _trap(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    operands = declarations.operands(words)
    if len(operands) > 1 and operands[0].text not in {None, "", "-"}:
        text, inner = operands[0].text or "", where.under("trap", builtins=True)
        if all((one.text or "").upper().removeprefix("SIG") in ENDING for one in operands[1:]):
            walk.traps.append((text, inner))
        else:
            walk.script(text, state.copy(), inner)
    return False


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
    "export": declarations.export_or_let,
    "declare": declarations.export_or_let,
    "typeset": declarations.export_or_let,
    "local": declarations.export_or_let,
    "readonly": declarations.export_or_let,
    "unset": declarations.unset,
    "read": declarations.read_or_let,
    "printf": declarations.printf_or_let,
    "test": declarations.let,
    "[": declarations.let,
    "let": declarations.let,
    "set": declarations.set_options,
    "shopt": declarations.shopt,
    "shift": declarations.shift,
    "alias": declarations.alias,
    "unalias": declarations.unalias,
    "eval": _eval,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "mapfile": declarations.mapfile,
    "readarray": declarations.mapfile,
    "hash": declarations.hash_name,
    "tee": copies.tee,
    "sponge": copies.tee,
    "dd": copies.dd,
    "repeat": _repeat,
    "command": _pass_on,
    "builtin": _pass_on,
    "exec": _pass_on,
    "noglob": _pass_on,
    "nocorrect": _pass_on,
    "-": _pass_on,
}
