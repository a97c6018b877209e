"""What a command prints, as far as its arguments and its input say: echo, printf, cat, base64 and the like."""

from __future__ import annotations

from policy.model import Value
from policy.programs.paths import absolute, base

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
    del walk, parsed, state, where
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
        text = unescaped(text)
    return Value(text + newline, text + newline, glob)


def _printf(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, parsed, state, where
    rest = list(words[1:])
    if rest and rest[0].text == "-v":
        return NOTHING
    if rest and rest[0].text == "--":
        rest = rest[1:]
    return formatted(rest)


def formatted(words: Sequence[Value]) -> Value:
    """What printf makes of a format and its arguments."""
    if not words or words[0].text is None:
        return UNKNOWN
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


def _pwd(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, words, parsed, where
    path = state.cwd[0] if len(state.cwd) == 1 else None
    return UNKNOWN if path is None else Value(path + "\n", path + "\n")


def _mktemp(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """A name that nobody knows, in a directory that is known: a pattern."""
    del words, where
    folder, template = None, None
    for option in parsed.options:
        if option.name == "--tmpdir" and option.value is not None:
            folder = option.value.text
    if parsed.operands:
        template = parsed.operands[0].text
        if template is None:
            return UNKNOWN
    temporary = walk.environment.get("TMPDIR") or "/tmp"  # noqa: S108
    short = any(option.name in {"-t", "--tmpdir"} for option in parsed.options)
    if template is None:
        template = "tmp.XXXXXXXXXX"
        folder = folder or temporary
    elif short:
        folder = folder or temporary
    pattern = (
        template.rstrip("X")
        if template.endswith("X")
        else template.replace("XXXXXX", "*").replace("X*", "*").replace("*X", "*")
    )
    if template.endswith("X"):
        pattern += "*"
    path = absolute(pattern, folder or (state.cwd[0] if len(state.cwd) == 1 else None))
    return UNKNOWN if path is None else Value(path + "\n", path.partition("*")[0], glob=True)


def _dirname(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, parsed, state, where
    text = words[1].text if len(words) == 2 else None
    if text is None or not text.strip("/"):
        return UNKNOWN
    head = text.rstrip("/").rpartition("/")[0]
    result = head or ("/" if text.startswith("/") else ".")
    return Value(result + "\n", result + "\n", words[1].glob)


def _basename(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, parsed, state, where
    text = words[1].text if len(words) in {2, 3} else None
    suffix = words[2].text if len(words) == 3 else ""
    if text is None or suffix is None:
        return UNKNOWN
    name = base(text.rstrip("/")).removesuffix(suffix) if suffix else base(text.rstrip("/"))
    return Value(name + "\n", name + "\n", words[1].glob)


def _realpath(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    del walk, words, where
    if len(parsed.operands) != 1 or parsed.operands[0].text is None or len(state.cwd) != 1:
        return UNKNOWN
    path = absolute(parsed.operands[0].text, state.cwd[0])
    return UNKNOWN if path is None else Value(path + "\n", path + "\n", parsed.operands[0].glob)


def _git(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Only the top of the working tree, which agents ask for to go there."""
    del words, where
    if parsed.subcommand == "rev-parse" and any(option.name == "--show-toplevel" for option in parsed.options):
        path = state.cwd[0] if len(state.cwd) == 1 else None
        root = "" if path is None else walk.world.repository(path, walk.environment).root
        return Value(root + "\n", root + "\n") if root else UNKNOWN
    return UNKNOWN


def _find(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Paths below where it starts: a pattern."""
    del walk, words, where
    if any(option.name in {"-printf", "-exec", "-ls", "-delete"} for option in parsed.options):
        return UNKNOWN
    starts = parsed.operands or (Value(".", "."),)
    if len(starts) != 1 or starts[0].text is None or len(state.cwd) != 1:
        return UNKNOWN
    names = [option.value.text for option in parsed.options if option.name == "-name" and option.value is not None]
    last = names[0] if len(names) == 1 and names[0] else "*"
    text = f"{starts[0].text.rstrip('/')}/**/{last}" if last != "*" else f"{starts[0].text.rstrip('/')}/**"
    return Value(text + "\n", starts[0].text, glob=True)


def _ls(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """Names in a directory: a pattern, when it is listed bare."""
    del walk, words, where
    flags = {option.name for option in parsed.options}
    if flags - {"-1", "--all", "--almost-all", "-t", "--reverse"} or len(state.cwd) != 1:
        return UNKNOWN
    if not parsed.operands:
        return Value("*\n", "", glob=True)
    if len(parsed.operands) == 1 and parsed.operands[0].glob and parsed.operands[0].text:
        return Value(parsed.operands[0].text + "\n", parsed.operands[0].known, glob=True)
    return UNKNOWN


def _which(walk: Walk, words: Sequence[Value], parsed: Parsed, state: State, where: Where) -> Value:
    """The name itself will do: what matters of the path is its last part."""
    del walk, parsed, state, where
    names = [word.text for word in words[1:] if (word.text or "-")[:1] != "-"]
    return Value(names[0] + "\n", names[0] + "\n") if len(names) == 1 and names[0] else UNKNOWN


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
    "pwd": _pwd,
    "mktemp": _mktemp,
    "dirname": _dirname,
    "basename": _basename,
    "realpath": _realpath,
    "readlink": _realpath,
    "git": _git,
    "find": _find,
    "ls": _ls,
    "which": _which,
    "command": _which,
    "type": _which,
}
