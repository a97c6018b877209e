"""The words without which a rule cannot match, for the generated hook front that answers before Python starts.

For one alternative: a tuple of groups; every group must be met, by any of its literals. () means "cannot be said: always ask Python".
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def of(alternatives: tuple[Any, ...]) -> tuple[Any, ...]:
    """One entry for each alternative of a compiled rule."""
    return tuple(_alternative(dict(tests)) for tests, _facts, _shown in alternatives)


def _alternative(tests: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    if "program" in tests:
        groups.append(tests["program"])
    if "subcommand" in tests:
        firsts = [sub.split(" ")[0] for sub in tests["subcommand"]]
        if not any(sign in first for first in firsts for sign in "*?["):
            groups.append(tuple(dict.fromkeys(firsts)))
    return tuple(groups)
