"""What a command prints, as far as its arguments and its input say: echo, printf, cat, base64 and the like."""

from __future__ import annotations

from policy.flow import answers, folders
from policy.flow.where import weigh
from policy.model import Value
from policy.programs.paths import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.programs.read import Parsed

NOTHING = Value("", "")
UNKNOWN = Value(None)
SILENT = frozenset(
    {
        "cd",
        "export",
        "true",
        ":",
        "set",
        "shopt",
        "unset",
        "mkdir",
        "rm",
        "cp",
        "mv",
        "touch",
        "chmod",
        "test",
        "[",
        "read",
        "local",
        "declare",
    }
)
ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    '"': '"',
    "'": "'",
}


def of(walk: Walk, program: str, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:  # noqa: PLR0913, PLR0917
    """The text on standard output; unknown for most programs."""
    if program in SILENT:
        return NOTHING
    printer = PRINTERS.get(program)
    if parsed.launches:
        return NOTHING if all(launch.kind in {"argv", "shell"} for launch in parsed.launches) else UNKNOWN
    if printer is None:
        return UNKNOWN
    return printer(walk, words, parsed, state, where)


def _echo(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del parsed, state, where
    rest = list(words[1:])
    newline, escapes = "\n", False
    while (
        rest
        and rest[0].text
        and rest[0].text[:1] == "-"
        and len(rest[0].text) > 1
        and set(rest[0].text[1:]) <= set("neE")
    ):
        flag = rest.pop(0).text or ""
        newline = "" if "n" in flag else newline
        escapes = "e" in flag or (escapes and "E" not in flag)
    text, glob = "", False
    for place, word in enumerate(rest):
        if word.text is None:
            return Value(None, text + (" " if place else "") + word.known)
        text += (" " if place else "") + word.text
        glob = glob or word.glob
    if escapes:
        weigh(walk, len(text), 3)
        text = unescaped(text)
    return Value(text + newline, text + newline, glob)


def _printf(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del parsed, state, where
    rest = list(words[1:])
    if rest and rest[0].text == "-v":
        return NOTHING
    if rest and rest[0].text == "--":
        rest = rest[1:]
    return formatted(walk, rest)


def formatted(walk: Walk, words: Sequence[Value]) -> Value:
    """What printf makes of a format and its arguments."""
    if not words or words[0].text is None:
        return UNKNOWN
    weigh(walk, len(words[0].text) * max(1, len(words) - 1) + sum([len(word.text or "") for word in words]), 3)
    template = words[0].text
    arguments = list(words[1:])
    text, first = "", True
    while first or arguments:
        before = len(arguments)
        first = False
        piece = _once(template, arguments)
        if piece.text is None:
            return Value(None, text + piece.known)
        text += piece.text
        if len(arguments) == before:
            break
    return Value(text, text)


def _once(template: str, arguments: list[Value]) -> Value:
    text, index = "", 0
    while index < len(template):
        mark = template[index]
        if mark == "\\":
            end = index + 2
            while (
                end < len(template)
                and end < index + 5
                and template[end] in "01234567"
                and template[index + 1] in "01234567"
            ):
                end += 1
            if template[index + 1 : index + 2] == "x":
                end = index + 4
            text, index = text + unescaped(template[index:end]), end
            continue
        if mark != "%":
            text, index = text + mark, index + 1
            continue
        end = index + 1
        while end < len(template) and template[end] in "-+ #0123456789.*'":
            end += 1
        kind = template[end : end + 1]
        index = end + 1
        if kind == "%":
            text += "%"
            continue
        value = arguments.pop(0) if arguments else NOTHING
        if value.text is None:
            return Value(None, text + value.known)
        text += unescaped(value.text) if kind == "b" else value.text
    return Value(text, text)


def unescaped(text: str) -> str:
    r"""Text with \n, \t, \0nn and \xHH decoded."""
    parts, index = [], 0
    while index < len(text):
        mark = text[index]
        if mark != "\\" or index + 1 >= len(text):
            parts.append(mark)
            index += 1
            continue
        kind = text[index + 1]
        if kind == "x":
            end = index + 2
            while end < len(text) and end < index + 4 and text[end] in "0123456789abcdefABCDEF":
                end += 1
            parts.append(chr(int(text[index + 2 : end], 16)) if end > index + 2 else "\\x")
            index = end
        elif kind in "01234567":
            end = index + 1
            while end < len(text) and end < index + 5 and text[end] in "01234567":
                end += 1
            parts.append(chr(int(text[index + 1 : end], 8) & 255))
            index = end
        elif kind == "c":
            break
        else:
            parts.append(ESCAPES.get(kind, "\\" + kind))
            index += 2
    return "".join(parts)


def _cat(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    from policy.flow import stdin

    del words
    operands = parsed.operands or (Value("-", "-"),)
    if parsed.options:
        return UNKNOWN
    text = ""
    for operand in operands:
        if operand.text == "-":
            value = stdin.text(walk, state, where)
            piece = None if value is None else value.text
        else:
            path = absolute(operand.text or "", state.cwd[0]) if operand.text else None
            piece = state.files.get(path) if path is not None else None
        if piece is None:
            return Value(None, text)
        text += piece
    return Value(text, text)


def _base64(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    from policy.flow import decoding

    return decoding.base64(walk, words, parsed, state, where)


def _decoded(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    from policy.flow import decoding

    return decoding.other(walk, words, parsed, state, where)


def _whole_input(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """tee: what it reads."""
    from policy.flow import stdin

    del words, parsed
    return stdin.text(walk, state, where) or UNKNOWN


PRINTERS: dict[str, Callable[[Walk, Sequence[Value], Parsed, State, Where], Value]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "tee": _whole_input,
    "base64": _base64,
    "xxd": _decoded,
    "tr": _decoded,
    "rev": _decoded,
    "sed": _decoded,
    "head": _decoded,
    "pwd": answers.pwd,
    "mktemp": answers.mktemp,
    "dirname": answers.dirname,
    "basename": answers.basename,
    "realpath": answers.realpath,
    "readlink": answers.realpath,
    "git": answers.git,
    **dict.fromkeys(("date", "whoami", "hostname", "uuidgen", "id", "uname", "nproc"), answers.one_word),
    "find": answers.found,
    "ls": answers.listed,
    "which": answers.which,
    "command": answers.which,
    "type": answers.which,
    **dict.fromkeys(("npm", "pnpm", "yarn", "pip", "uv", "poetry", "go", "composer", "brew"), folders.told),
}
