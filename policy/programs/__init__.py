"""Program grammars: argv to subcommand, canonical options, operands, effects on paths and launched commands."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Grammars:
    """Grammars by program name, unmarshalled when first asked for. `names` are all guarded names, aliases among them."""

    __slots__ = ("_raw", "_read", "names")

    def __init__(self, raw: Mapping[str, bytes]) -> None:
        self._raw = raw
        self._read: dict[str, dict[str, Any] | None] = {}
        self.names = raw.keys()

    def get(self, program: str) -> dict[str, Any] | None:
        """The grammar of a program, by its name or an alias; None when there is none."""
        if program in self._read:
            return self._read[program]
        raw = self._raw.get(program)
        grammar = None if raw is None else marshal.loads(raw)  # noqa: S302
        if isinstance(grammar, str):
            grammar = self.get(grammar)
        self._read[program] = grammar
        return grammar
