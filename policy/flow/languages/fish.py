"""fish code: read by the shell parser under its own dialect, except for plain words, which mean the same in every shell."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the text as a fish script."""
    del arguments
    from policy.flow import launch

    plain = value.text is not None and not any(mark in value.text for mark in "\\'\"(){}*?~%#$")
    launch.shell_text(walk, value, state, where, "sh" if plain else language)
