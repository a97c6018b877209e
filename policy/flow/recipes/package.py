"""npm, pnpm, yarn, bun: scripts of package.json with what runs before and after them."""

from __future__ import annotations

import _json

from policy.flow import recipes
from policy.programs.paths import normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

UP = 6
"""How many directories upward a package.json is looked for."""


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the script that the first word names, words after it appended; pnpm and yarn start a program when there is no such script."""
    name = words[0].text if words else None
    if not name:
        return
    found = scripts(walk, state)
    if found is None:
        _program(walk, program, words, state, where)
        return
    folder, table = found
    names = [key for key in table if _fits(name, key)]
    if not names:
        _program(walk, program, words, state, where)
    here = state.copy()
    here.cwd = (folder,)
    rest = [word for word in words[1:] if word.text != "--"]
    for key in names[:16]:
        for part in (f"pre{key}", key, f"post{key}"):
            text = table.get(part)
            if isinstance(text, str):
                whole = text + ' "$@"' if part == key and rest else text
                recipes.run(walk, f"{folder} {part}", whole, here, where, rest)


def _fits(name: str, key: str) -> bool:
    if "*" in name:
        from policy.flow.globs import matches

        return matches(name, key)
    return name == key


def _program(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    if program in {"pnpm", "yarn", "bun"}:
        walk.start(list(words), state.copy(), where)


def scripts(walk: Walk, state: State) -> tuple[str, Mapping[str, Any]] | None:
    """The folder of the nearest package.json and its scripts."""
    folder = state.cwd[0] if len(state.cwd) == 1 else None
    for _ in range(UP):
        if folder is None:
            return None
        found = recipes.text_of(walk, (folder + "/package.json",), state)
        if found is not None:
            data = decoded(found[1])
            table = data.get("scripts") if isinstance(data, dict) else None
            return (folder, table) if isinstance(table, dict) else None
        above = normal(folder + "/..")
        folder = None if above == folder else above
    return None


def keep(walk: Walk, operands: Sequence[Value], state: State) -> None:
    """`npm pkg set scripts.NAME=TEXT`: the scripts as they are from then on."""
    given = [value.text or "" for value in operands[1:]] if operands and operands[0].text == "set" else []
    changes = [text[8:].partition("=") for text in given if text.startswith("scripts.")]
    found = scripts(walk, state) if changes else None
    if not changes or len(state.cwd) != 1 or state.cwd[0] is None:
        return
    folder, table = found or (state.cwd[0], {})
    texts = {key: text for key, text in table.items() if isinstance(text, str)}
    texts.update({name: text for name, _, text in changes})
    quoted = _json.encode_basestring_ascii
    pairs = ", ".join(f"{quoted(key)}: {quoted(text)}" for key, text in texts.items())
    state.files[folder + "/package.json"] = f'{{"scripts": {{{pairs}}}}}'


class _Context:
    """What the scanner of the standard library asks for (the json module itself is slow to import)."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012


def decoded(text: str) -> Any:
    """JSON to Python values, None when it is none."""
    try:
        return _json.make_scanner(_Context())(text.lstrip(), 0)[0]  # type: ignore[arg-type]
    except (ValueError, StopIteration, RecursionError):
        return None
