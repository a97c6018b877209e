"""Shell text of which only the beginning is known."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

HOLE = "__gatepost_unknown__"


def read(walk: Walk, value: Value, state: State, where: Where, dialect: str) -> None:
    """Walk the part that is certain; what follows it is one unknown word, and after that nothing is known."""
    if not value.known.strip():
        return
    from policy import shell

    text = value.known
    for ending in ('"$' + HOLE + '"', "$" + HOLE, "$" + HOLE + '"', "'", '"', ")"):
        try:
            walk.parse(text + ending, dialect or walk.request.dialect, where)
        except shell.Unparsed:
            continue
        own = state.copy()
        own.values[HOLE] = (Value(None, splits=True),)
        walk.script(text + ending, own, where, dialect=dialect)
        return
    walk.issue("shell/unparsed", "text that is only partly known", where)
