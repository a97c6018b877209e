"""find: paths, then an expression whose actions delete, run and write."""

from __future__ import annotations

from policy.model import Option, Value
from policy.programs.read import Launch, Parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
WRITES = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})
GLOBAL = frozenset({"-H", "-L", "-P"})
NAMES = 8
"""How many -name tests are followed as patterns of their own."""


def find(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """What find would do: -delete below its paths, -exec with each found path in place of {}, -fprint files."""
    parsed = Parsed()
    index = 1
    options: list[Option] = []
    while index < len(words) and ((words[index].text or "") in GLOBAL or (words[index].text or "")[:2] in {"-D", "-O"}):
        text = words[index].text or ""
        options.append(Option(text, None, text))
        index += 2 if text == "-D" else 1
    starts: list[Value] = []
    while index < len(words) and not _opens(words[index]):
        starts.append(words[index])
        index += 1
    parsed.operands = tuple(starts)
    paths = starts or [Value(".", ".")]
    names: list[str] = []
    while index < len(words):
        index = _primary(words, index, grammar, options, parsed, paths, names)
    parsed.options = tuple(options)
    parsed.recursive = True
    if any(option.name == "-delete" for option in options):
        for path in paths:
            for found in _named(path, names, options) or [path]:
                within = found is path and _below(options)
                parsed.roles.append(("delete/within" if within else "delete", found, "-delete"))
    return parsed


def _opens(word: Value) -> bool:
    text = word.text if word.text is not None else word.known
    return (text[:1] == "-" and len(text) > 1) or text in {"(", ")", "!", ","}


def _below(options: list[Option]) -> bool:
    depth = [option.value.text for option in options if option.name == "-mindepth" and option.value is not None]
    return any(text is not None and text.isdigit() and int(text) > 0 for text in depth)


def _named(path: Value, names: list[str], options: list[Option]) -> list[Value]:
    """The patterns of what -name lets through; none where something without that test may pass too."""
    if path.text is None or not 0 < len(names) <= NAMES:
        return []
    named = False
    for option in (*options, Option("-o", None, "-o")):
        if option.name in {"!", "-not", ","}:
            return []
        if option.name in {"-o", "-or"}:
            if not named:
                return []
            named = False
        named = named or option.name == "-name"
    base = path.text.rstrip("/") + "/**/"
    return [Value(base + name, path.text, glob=True, quoted=True) for name in names]


def _primary(  # noqa: PLR0913, PLR0917
    words: Sequence[Value],
    index: int,
    grammar: dict[str, Any],
    options: list[Option],
    parsed: Parsed,
    paths: list[Value],
    names: list[str],
) -> int:
    word = words[index]
    text = word.text
    if text is None:
        parsed.unknown = True
        return index + 1
    if text in RUNS:
        options.append(Option(text, None, text))
        found = [found for path in paths[:4] for found in _named(path, names, options[:-1]) or [_found(path)]]
        return _run(words, index + 1, text, parsed, found)
    if not text:
        return index + 1
    entry = grammar["opts"].get(text)
    arity = 0 if entry is None else entry[1]
    value = words[index + 1] if arity and index + 1 < len(words) else None
    options.append(Option(text if entry is None else entry[0], value, text))
    if text in WRITES and value is not None:
        parsed.roles.append(("write", value, text))
    if text == "-name" and value is not None and value.text is not None:
        names.append(value.text)
    return index + 1 + (arity if arity < 3 else 2)


def _run(words: Sequence[Value], index: int, action: str, parsed: Parsed, found: list[Value]) -> int:
    """The words up to ; or {} +, with each that may be found in place of {}."""
    argv: list[Value] = []
    while index < len(words):
        text = words[index].text
        if text == ";" or (text == "+" and argv and argv[-1].text == "{}"):
            index += 1
            break
        argv.append(words[index])
        index += 1
    for each in found:
        launch = Launch("argv", [replaced(word, each) for word in argv])
        if action in {"-execdir", "-okdir"}:
            launch.cwd = (Value(None),)
        parsed.launches.append(launch)
    return index


def _found(path: Value) -> Value:
    """A path that find comes across: the starting path or anything below it."""
    if path.text is None:
        return Value(None, path.known, quoted=True)
    text = path.text.rstrip("/") + "/**"
    return Value(text, path.text, glob=True, quoted=True)


def replaced(word: Value, found: Value, mark: str = "{}") -> Value:
    """A word with what was found in the place of {}."""
    if word.text is None or mark not in word.text:
        return word
    if word.text == mark:
        return found
    before, _, after = word.text.partition(mark)
    if found.text is None:
        return Value(None, before + found.known, quoted=True)
    after = after.replace(mark, found.text)
    return Value(before + found.text + after, before + found.known, glob=found.glob or word.glob, quoted=True)


def fd(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """fd: -x and -X take all words up to a lone semicolon; options may go on after it."""
    from policy.programs.options import take
    from policy.programs.read import _keep as keep

    parsed = Parsed()
    taken = take(words, 1, grammar, None, first=False)
    keep(parsed, taken)
    parsed.launches = []
    operands = list(taken.operands)
    if taken.cut:
        value = parsed.options[-1].value
        command = [] if value is None else [value]
        rest = list(words[taken.stop :])
        end = next((place for place, word in enumerate(rest) if word.text == ";"), len(rest))
        command += rest[:end]
        places = (
            [Value("./**", "", glob=True, quoted=True)]
            if len(operands) < 2
            else [_found(place) for place in operands[1:]]
        )
        last = _fd_name(operands, parsed.options)
        if last:
            places = [Value(f"{place.text}/{last}", place.known, glob=True, quoted=True) for place in places]
        marked = any("{" in (word.text or "") for word in command)
        for place in places:
            filled = [_filled(word, place) for word in command]
            parsed.launches.append(Launch("argv", filled if marked else [*filled, place]))
        after = rest[end + 1 :]
        if after:
            more = fd([words[0], *after], grammar)
            parsed.launches += more.launches
            parsed.options += more.options
    parsed.operands = tuple(operands)
    return parsed


def _fd_name(operands: Sequence[Value], options: Sequence[Option]) -> str:
    """The pattern of the names that fd finds, "" where any may be: an expression that says a whole name or its end, a glob, an extension."""
    given = {option.name: option.value for option in options}
    wanted = (operands[0].text if operands else "") or ""
    ending = given.get("--extension")
    if given.keys() & {"--full-path", "--and"}:
        return ""
    if ending is not None and not wanted:
        return f"*.{ending.text}" if ending.text and ending.text.isalnum() else ""
    if "--glob" in given:
        return "" if "/" in wanted else wanted
    name = wanted.removeprefix("^").removesuffix("$")
    if not name.replace("\\.", "").replace("_", "").replace("-", "").isalnum():
        return ""
    name = name.replace("\\.", ".")
    if wanted in WHOLE or (wanted[:1] == "^" and wanted[-1:] == "$"):
        return name
    return f"*{name}" if wanted[-1:] == "$" else ""


WHOLE = frozenset({"node_modules", "__pycache__"})
"""Expressions that, taken for names, are all that they find."""


def _filled(word: Value, found: Value) -> Value:
    for mark in ("{}", "{/}", "{//}", "{.}", "{/.}"):
        word = replaced(word, found, mark)
    return word
