r"""Clients of databases: their own commands that run programs (\!, .shell, system, COPY … TO PROGRAM); SQL itself is judged as text."""

from __future__ import annotations

from policy.flow.languages.actions import Actions
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

PIPES = ("read", "output", "import", "once", "excel", "log", "open")


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the lines of a script."""
    del arguments
    actions = Actions(walk, language, state.copy(), where)
    text = value.text if value.text is not None else value.known
    for line in text.split("\n"):
        _line(line.strip(), actions)
    lowered = text.lower()
    for phrase in ("to program ", "from program "):
        place = lowered.find(phrase)
        while place >= 0:
            quote = text[place + len(phrase) : place + len(phrase) + 1]
            inner = text[place + len(phrase) + 1 :].partition("'")[0] if quote == "'" else ""
            if inner:
                actions.shell(Value(inner, inner))
            place = lowered.find(phrase, place + 1)
    actions.finish()


INCLUDES = ("source ", "\\. ", "\\i ", "\\ir ", ".read ")


def included(text: str) -> list[str]:
    """The files whose statements a client is told to read."""
    if not any(word in text.lower() for word in INCLUDES):
        return []
    lines = [part.strip() for line in text.split("\n") for part in line.split(";")]
    rest = [line.partition(" ")[2].strip(" '\"") for line in lines if line.lower().startswith(INCLUDES)]
    return [name for name in rest if name and name[0] != "|"][:8]


def _line(line: str, actions: Actions) -> None:
    if line.startswith("."):
        _dot(line[1:], actions)
        return
    if line.startswith("\\!"):
        actions.shell(_value(line[2:]))
    elif line.startswith(("\\o", "\\w", "\\g")) and "|" in line:
        actions.shell(_value(line.partition("|")[2]))
    elif line.startswith(("\\o ", "\\w ")):
        actions.touch("write", _value(line[3:]))
    elif line.startswith("\\copy") and "program" in line:
        actions.shell(_value(line.partition("program")[2].strip().strip("'\"")))
    elif line.lower().startswith("system "):
        actions.shell(_value(line[7:].rstrip(";")))


def _dot(line: str, actions: Actions) -> None:
    """sqlite3's dot-commands, which may be abbreviated."""
    name, _, rest = line.partition(" ")
    rest = rest.strip()
    if len(name) > 1 and ("shell".startswith(name) or "system".startswith(name)) and rest:
        words = rest.strip()
        actions.shell(_value(words.strip("\"'") if " " not in words.strip("\"'") else words))
        return
    bare = rest.strip("'\"")
    for full in PIPES:
        if len(name) > 1 and full.startswith(name):
            if bare.startswith("|"):
                actions.shell(_value(bare[1:]))
            elif full in {"output", "once", "log"} and bare:
                actions.touch("write", _value(bare))
            return
    if name in {"backup", "save", "dump", "clone"} and bare and name != "dump":
        actions.touch("write", _value(bare.split()[-1]))


def _value(text: str) -> Value:
    text = text.strip()
    return Value(text, text)
