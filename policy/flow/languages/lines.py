"""Commands of debuggers, editors and the like that start programs: lines of gdb, ed, expect, Tcl."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.languages.actions import Actions
    from policy.flow.languages.tokens import Token


def read(actions: Actions, found: list[Token]) -> None:
    """Lines such as `shell CMD`, `!CMD`, `r !CMD`, `spawn CMD`, `exec CMD`, put together again from their tokens."""
    line: list[Token] = []
    for token in [*found, ("sign", "\n", Value("", ""))]:
        if token[:2] not in {("sign", "\n"), ("sign", ";")}:
            line.append(token)
            continue
        _line(actions, line)
        line = []


def _line(actions: Actions, line: list[Token]) -> None:
    texts = [value.known if kind in {"string", "command"} else text for kind, text, value in line]
    if not texts:
        return
    if texts[0] in {"shell", "spawn", "exec"} and len(texts) > 1 and line[1][:2] != ("sign", "("):
        actions.shell(_joined(texts[1:]))
    elif "!" in texts[:2]:
        rest = texts[texts.index("!") + 1 :]
        if rest and rest[0] not in {"=", "~"}:
            actions.shell(_joined(rest))
    elif texts[:3] == ["do", "shell", "script"] and len(line) > 3:
        actions.shell(line[3][2])


def _joined(texts: list[str]) -> Value:
    """Tokens as one line; signs that belong to a word are not set apart."""
    whole = ""
    for text in texts:
        glued = not whole or text in {"-", "/", ".", "~", ":", "="} or whole[-1] in "-/.~:="
        starts = text in {"-", "/", "~", "."} and whole and whole[-1] not in "-/.~:=" and not whole.endswith(" ")
        whole += (" " if (not glued or starts) and whole else "") + text
    return Value(whole, whole)
