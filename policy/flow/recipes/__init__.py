"""Recipes of task runners: make, just, npm run and the like, read from the project's own files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

READERS: dict[str, str] = {}
"""Program to the module of this package that finds its recipes."""


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the recipes that the words name."""
    name = READERS.get(program)
    if name is not None:
        module = __import__("policy.flow.recipes." + name, fromlist=[name])
        module.follow(walk, program, words, state, where)
