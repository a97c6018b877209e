"""pre-commit: what the hooks of the project's own configuration start."""

from __future__ import annotations

from policy.flow import recipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

NO_PROGRAM = ("pygrep", "fail")
"""Languages whose entry is a pattern or a message."""


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the entry of every hook that has one."""
    del words
    found = recipes.text_of(walk, (".pre-commit-config.yaml",), state)
    if found is None:
        return
    for text in list(entries(found[1]))[:64]:
        recipes.run(walk, f"{program} {text}", text, state, where)


def entries(text: str) -> Iterator[str]:
    """The entries, one hook at a time: which language it is may stand before or behind."""
    for hook in text.split("- id:")[1:]:
        keys = dict(line.strip().partition(":")[::2] for line in hook.split("\n") if ":" in line)
        entry, language = keys.get("entry", "").strip(), keys.get("language", "").strip()
        if entry and language not in NO_PROGRAM:
            yield entry[1:-1] if entry[0] == entry[-1] and entry[0] in "'\"" else entry
