"""Recipes of task runners: make, just, task, npm run and the like, read from the project's own files."""

from __future__ import annotations

from policy.flow import files, outside
from policy.model import Value
from policy.programs.paths import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

READERS = {
    "make": "make",
    "just": "just",
    "task": "taskfile",
    "npm": "package",
    "pnpm": "package",
    "yarn": "package",
    "bun": "package",
    "npm-run-all": "package",
    "node": "package",
    "deno": "package",
    "nox": "nox",
    "tox": "tox",
    "pre-commit": "pre_commit",
}
"""Program to the module of this package that finds its recipes."""

LIMIT = 131_072
UNKNOWN = "gatepost_unknown"
"""A shell variable that stands for what a recipe file computes in ways that are not followed."""


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the recipes that the words name."""
    name = READERS.get(program)
    if name is not None and where.place == "local":
        module = __import__("policy.flow.recipes." + name, fromlist=[name])
        module.follow(walk, program, words, state, where)


def text_of(walk: Walk, names: Sequence[str], state: State) -> tuple[str, str] | None:
    """Path and text of the first of the files that can be read, as seen from the one directory that is known."""
    cwd = state.cwd[0] if len(state.cwd) == 1 else None
    for name in names:
        path = absolute(name, cwd)
        if path is None:
            continue
        text = state.files.get(path)
        if text is None and path not in state.files:
            text = outside.text(walk, path, LIMIT)
        if text is not None:
            return path, text
    return None


def run(walk: Walk, key: str, text: str, state: State, where: Where, arguments: Sequence[Value] = ()) -> None:  # noqa: PLR0913, PLR0917
    """Walk one recipe's shell text, once for each time that it is not already being walked."""
    key = f"recipe {key}"
    if key in walk.active or len(walk.active) > 24:
        return
    own = state.child()
    own.positional = tuple(arguments)
    own.functions = {}
    for name, held in where.environment:
        own.assign(name, (held,))
    own.values[UNKNOWN] = (Value(None, splits=True),)
    inner = where.copy()
    inner.marks = (*where.marks, "recipe")
    inner.stdin, inner.stdin_path = None, None
    files.aside(walk, key, lambda: walk.script(text, own, inner, dialect="sh", quiet=True), own=True)
