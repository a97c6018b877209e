"""vim commands: :!CMD, :r !CMD, :w !CMD, :terminal CMD, system(), delete(), :w FILE."""

from __future__ import annotations

from policy.flow.languages.actions import Actions
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where

SILENT = ("silent!", "silent", "sil!", "sil", "execute", "exe", "call", "try|", "noautocmd")
CALLS = {
    "system(": "shell",
    "systemlist(": "shell",
    "delete(": "delete",
    "termopen(": "shell",
    "jobstart(": "shell",
    "os.execute(": "shell",
}
TERMINALS = ("terminal ", "term ", "te ")
WRITES = ("w ", "w! ", "write ", "write! ", "sav ", "saveas ", "wq ")


def read(walk: Walk, language: str, value: Value, arguments: Sequence[Value], state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk the commands, one a line."""
    del arguments
    actions = Actions(walk, language, state.copy(), where)
    text = value.text if value.text is not None else value.known
    for line in text.split("\n"):
        _command(line.strip().lstrip(":").strip(), actions)
    actions.finish()


def _command(line: str, actions: Actions) -> None:
    for word in SILENT:
        if line.startswith(word + " "):
            line = line[len(word) :].strip().lstrip(":\"'")
    place = line.find("!")
    if any(name in line for name in CALLS):
        _calls(line, actions)
    elif place >= 0 and _before_bang(line[:place].strip(), line, place):
        actions.shell(_value(line[place + 1 :]))
    else:
        _plain(line, actions)


def _calls(line: str, actions: Actions) -> None:
    for name, kind in CALLS.items():
        place = line.find(name)
        quote = line[place + len(name) : place + len(name) + 1] if place >= 0 else ""
        inner = line[place + len(name) + 1 :].partition(quote)[0] if quote and quote in "'\"" else ""
        if inner and kind == "shell":
            actions.shell(Value(inner, inner))
        elif inner:
            actions.touch("delete", Value(inner, inner))


def _plain(line: str, actions: Actions) -> None:
    for word in TERMINALS:
        if line.startswith(word):
            actions.shell(_value(line[len(word) :]))
    for word in WRITES:
        if line.startswith(word):
            actions.touch("write", _value(line[len(word) :]))


def _value(text: str) -> Value:
    return Value(text.strip(), text.strip())


def _before_bang(head: str, line: str, place: int) -> bool:
    """Whether what stands before an exclamation mark makes it run the rest: nothing, a range, :r, :w with a blank."""
    rest = line[place + 1 :].strip()
    if not rest:
        return False
    if head in {"", "%", ".", "$", "1,$"} or head.replace(",", "").isdigit():
        return True
    return head.lstrip("%.,$0123456789") in {"r", "read", "w", "write"} and line[place - 1 : place] == " "
