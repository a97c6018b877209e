"""Program grammars: argv to subcommand, canonical options, operands, effects on paths and launched commands."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet
    from typing import Any


class Grammars:
    """Grammars by program name, unmarshalled when first asked for."""

    __slots__ = ("_names", "_raw", "_read")

    def __init__(self, raw: Mapping[str, bytes]) -> None:
        self._raw = raw
        self._read: dict[str, dict[str, Any] | None] = {}
        self._names: AbstractSet[str] | None = None

    @property
    def names(self) -> AbstractSet[str]:
        """All guarded names, aliases among them; hundreds, and asked for seldom."""
        if self._names is None:
            self._names = self._raw.keys()
        return self._names

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
