"""tox: the commands of the environments in tox.ini."""

from __future__ import annotations

from policy.flow import recipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Value

KEYS = ("commands", "commands_pre", "commands_post")


def follow(walk: Walk, program: str, words: Sequence[Value], state: State, where: Where) -> None:
    """Walk the commands of every environment: which of them runs is left open."""
    del words
    found = recipes.text_of(walk, ("tox.ini", "setup.cfg"), state)
    if found is None:
        return
    for text in list(commands(found[1]))[:64]:
        recipes.run(walk, f"{program} {text}", text, state, where)


def commands(text: str) -> Iterator[str]:
    """Each line of the keys that hold commands, what tox puts in for {…} left open."""
    inside = False
    for line in text.replace("\\\n", " ").split("\n"):
        if line[:1] not in (" ", "\t"):
            key, equals, line = line.partition("=")  # noqa: PLW2901
            inside = bool(equals) and key.strip() in KEYS
        if inside and line.strip():
            yield _filled(line.strip().lstrip("-! "))


def _filled(line: str) -> str:
    parts = line.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, closed, rest = part.partition("}")
        if name in ("toxinidir", "tox_root"):
            filled.append("." + rest)
        elif name.startswith("posargs"):
            filled.append(name.partition(":")[2] + rest)
        else:
            filled.append(f"${recipes.UNKNOWN}" + rest if closed else part)
    return "".join(filled)
