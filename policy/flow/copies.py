"""Plain programs that leave a copy, a link or a text behind, which may be run later."""

from __future__ import annotations

from policy.flow.files import STANDARD_INPUT
from policy.programs.paths import absolute, base

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value


def copy(walk: Walk, words: Sequence[Value], state: State, where: Where) -> None:
    """Remember `cp A B` and the like: B runs what A is, and holds what A holds."""
    operands = [word for word in words[1:] if (word.text or "-")[:1] != "-"]
    if len(operands) != 2 or len(state.cwd) != 1 or operands[0].text is None or operands[1].text is None:
        return
    source = absolute(operands[0].text, state.cwd[0])
    target = absolute(operands[1].text, state.cwd[0])
    if source is None or target is None or operands[0].glob:
        return
    if operands[0].text in STANDARD_INPUT:
        _hold(walk, [target], state, where)
        return
    targets = [target, target + "/" + base(source)]
    symbolic = base(words[0].text or "") == "ln" and any(
        (word.text or "")[:1] == "-" and "s" in (word.text or "") for word in words
    )
    for path in targets:
        if symbolic:
            state.files[f"@{path}"] = source
        state.files[f"={path}"] = state.files.get(f"={source}") or source
        if source in state.files:
            state.files[path] = state.files[source]


def reached(cwds: tuple[str | None, ...], state: State) -> tuple[str | None, ...]:
    """Where directories are that are named through links which this request made."""
    found = []
    for cwd in cwds:
        path, rest = cwd or "", ""
        while path and f"@{path}" not in state.files:
            path, _, name = path.rpartition("/")
            rest = f"/{name}{rest}"
        found.append((state.files[f"@{path}"] or "") + rest if path else cwd)
    return tuple(found)


def _hold(walk: Walk, paths: Sequence[str], state: State, where: Where, *, appending: bool = False) -> None:
    """What is read stands in these files afterwards."""
    from policy.flow import stdin

    value = stdin.text(walk, state, where)
    for path in paths:
        state.files[path] = None if value is None or appending else value.text


def dd(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    """`dd of=FILE`: what it reads stands there; a file that `if=` names may be a copy."""
    given = {(word.text or "").partition("=")[0]: (word.text or "").partition("=")[2] for word in words[1:]}
    cwd = state.cwd[0] if len(state.cwd) == 1 else None
    target, source = absolute(given.get("of", ""), cwd), absolute(given.get("if", ""), cwd)
    if target is not None and source is not None and source not in STANDARD_INPUT:
        state.files[target] = state.files.get(source)
    elif target is not None and not target.startswith("/dev/"):
        _hold(walk, [target], state, where)
    return False


def tee(walk: Walk, words: Sequence[Value], state: State, where: Where) -> bool:
    appending = any((word.text or "")[:2] == "-a" or word.text == "--append" for word in words[1:])
    cwd = state.cwd[0] if len(state.cwd) == 1 else None
    named = [word.text for word in words[1:] if word.text and word.text[0] != "-"]
    paths = [path for path in (absolute(name, cwd) for name in named) if path is not None]
    _hold(walk, paths, state, where, appending=appending)
    return False
