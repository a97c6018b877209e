"""An argv read by its program's grammar: what the words are, what happens to paths, what would be launched."""

from __future__ import annotations

import marshal

from policy.model import Value
from policy.programs.options import Taken, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.model import Option

LAUNCHING = ("argv", "until", "words", "program", "shell", "shell-one", "recipe", "module")


class Launch:
    """Something that a program starts: `kind` is argv, shell, code, file, recipe or module; `words` what it is made of.

    `language` tells how code and files are read ("sh", "python", …); `name` is the launcher as it is shown; `cwd` a directory that it
    changes to first, `assigned` NAME=value words, `place` where it runs; `maybe` marks a reading that is one of several.
    """

    __slots__ = ("assigned", "cwd", "kind", "language", "maybe", "name", "place", "words")

    def __init__(self, kind: str, words: Sequence[Value], language: str = "sh", *, maybe: bool = False) -> None:
        self.kind = kind
        self.words = tuple(words)
        self.language = language
        self.maybe = maybe
        self.name = ""
        self.cwd: tuple[Value, ...] = ()
        self.assigned: tuple[Value, ...] = ()
        self.place = ""


class Parsed:
    """What the grammar says about an argv. `roles` pairs (role, value, source) for paths; `launches` in the order they stand.

    `after` are the words after the first --, `tail` those after a subcommand that the grammar does not know, `stdin` what is done with input ("code:sh", "recipe:test", "xargs").
    """

    __slots__ = (
        "after",
        "assigned",
        "config",
        "cwd",
        "inert",
        "launches",
        "operands",
        "options",
        "place",
        "recursive",
        "roles",
        "stdin",
        "subcommand",
        "tail",
        "unknown",
    )

    def __init__(self) -> None:
        self.subcommand = ""
        self.options: tuple[Option, ...] = ()
        self.operands: tuple[Value, ...] = ()
        self.unknown = False
        self.inert = False
        self.place = "local"
        self.stdin = ""
        self.recursive = False
        self.roles: list[tuple[str, Value, str]] = []
        self.launches: list[Launch] = []
        self.cwd: list[Value] = []
        self.assigned: list[Value] = []
        self.config: list[Value] = []
        self.after: list[Value] = []
        self.tail: list[Value] = []


def read(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Read an argv whose program has this grammar; `words[0]` is the program."""
    if grammar["reader"]:
        from policy.programs import special

        return special.read(grammar["reader"], words, grammar)
    return plain(words, grammar)


def plain(words: Sequence[Value], grammar: dict[str, Any], start: int = 1) -> Parsed:
    """Read by the grammar's data alone."""
    parsed = Parsed()
    part = grammar
    taken = take(words, start, grammar, None, first=bool(grammar["subs"]) or not grammar["permute"])
    _keep(parsed, taken)
    if grammar["subs"]:
        part, taken = _subcommand(words, taken, grammar, parsed)
        if part is grammar and parsed.subcommand and grammar["alias"] in {"recipe", "argv"}:
            parsed.launches.append(Launch(grammar["alias"], words[len(words) - len(parsed.tail) - 1 :]))
    _finish(words, parsed, part, taken)
    return parsed


def _subcommand(
    words: Sequence[Value], taken: Taken, grammar: dict[str, Any], parsed: Parsed
) -> tuple[dict[str, Any], Taken]:
    """Descend to the part that the next operands name; an unknown or unnamed one is read by the global options alone."""
    part = grammar
    while taken.stop < len(words):
        word = words[taken.stop]
        if word.text is None:
            parsed.unknown = True
            break
        name = grammar["short"].get(word.text, word.text) if not parsed.subcommand else word.text
        path = f"{parsed.subcommand} {name}" if parsed.subcommand else name
        path = grammar["short"].get(path, path)
        known = grammar["subs"].get(path)
        if known is None and parsed.subcommand:
            break
        parsed.subcommand = path
        if known is None:
            parsed.tail = list(words[taken.stop + 1 :])
        else:
            part = _part(grammar, known)
        nested = path in grammar["nested"]
        outer = grammar if grammar["inherit"] or known is None else None
        taken = take(words, taken.stop + 1, part, outer, first=nested or not part["permute"])
        _keep(parsed, taken)
        if not nested:
            return part, taken
    if part["permute"] and part is not grammar and taken.stop < len(words):
        rest = take(words, taken.stop, part, grammar if grammar["inherit"] else None, first=False)
        _keep(parsed, rest)
        return part, rest
    return part, taken


def _part(grammar: dict[str, Any], number: int) -> dict[str, Any]:
    """A subcommand's part, decoded when it is first met."""
    decoded: dict[int, dict[str, Any]] = grammar.setdefault("decoded", {})
    if number not in decoded:
        decoded[number] = marshal.loads(grammar["parts"][number])  # noqa: S302
    return decoded[number]


def _keep(parsed: Parsed, taken: Taken) -> None:
    parsed.options += tuple(taken.options)
    parsed.unknown = parsed.unknown or taken.unknown
    parsed.assigned.extend(taken.assigned)
    for role, value, option in taken.roles:
        if role == "cwd":
            parsed.cwd.append(value)
        elif role == "git-config":
            parsed.config.append(value)
        elif role == "env":
            parsed.assigned.append(value)
        elif role == "target":
            parsed.roles.append(("write", value, option.name))
        elif role in LAUNCHING or role[:5] in {"code:", "file:"}:
            option_launch(parsed, role, value)
        elif role not in {"data", "stop"}:
            parsed.roles.append((role, value, option.name))


def _finish(words: Sequence[Value], parsed: Parsed, part: dict[str, Any], taken: Taken) -> None:
    operands = [*taken.operands, *words[taken.stop :]]
    parsed.operands = tuple(operands)
    parsed.inert, parsed.place, parsed.stdin = part["inert"], part["place"], part["stdin"]
    pattern, recursive = part["ops"], part["rec"]
    given = {option.name for option in parsed.options if not option.negated}
    first = operands[0].text if operands else None
    for any_of, and_of, none_of, below, first_of, changes in part["when"]:
        if (any_of and not given.intersection(any_of)) or (and_of and not given.intersection(and_of)):
            continue
        if given.intersection(none_of) or (below is not None and len(operands) >= below):
            continue
        if first_of and first not in first_of:
            continue
        pattern, recursive = changes.get("ops", pattern), changes.get("rec", recursive)
        parsed.inert, parsed.place = changes.get("inert", parsed.inert), changes.get("place", parsed.place)
        parsed.stdin = changes.get("stdin", parsed.stdin)
    parsed.recursive = recursive == ("*",) or bool(given.intersection(recursive))
    texts = [word.text for word in words]
    parsed.after = list(words[texts.index("--") + 1 :]) if "--" in texts else []
    if parsed.options and any(option.name == "--help" and option.sure for option in parsed.options):
        _only_help(parsed)
        return
    if taken.roles and any(role == "stop" for role, _, _ in taken.roles):
        parsed.launches = []
        return
    if taken.cut:
        for launch in parsed.launches:
            launch.words += tuple(words[taken.stop :])
        return
    _operands(parsed, operands, pattern)
    if taken.doubtful and len(operands) > 1 and not part["permute"] and parsed.launches:
        parsed.launches.append(Launch("argv", operands[1:], maybe=True))


def _only_help(parsed: Parsed) -> None:
    """The program prints how it is used and does nothing else, whatever stands beside that option."""
    parsed.subcommand, parsed.inert, parsed.stdin = "help", True, ""
    parsed.options = tuple(option for option in parsed.options if option.name == "--help")
    parsed.operands, parsed.roles, parsed.launches, parsed.config = (), [], [], []


def _operands(parsed: Parsed, operands: list[Value], pattern: tuple[tuple[str, str], ...]) -> None:
    """Give each operand its role; when there are too few of them, the last roles count (cp -t aside, `mv x` is its target)."""
    fixed = sum(1 for _, many in pattern if not many or many == "+")
    if len(operands) < fixed and pattern[-1][0] not in LAUNCHING:
        pattern, fixed = pattern[fixed - len(operands) :], len(operands)
    spare = max(0, len(operands) - fixed)
    index = 0
    for role, many in pattern:
        if role == "after":
            operand_launch(parsed, "argv", parsed.after)
            return
        if role in {"argv", "until", "shell", "shell-one", "recipe"} and not many:
            if index < len(operands):
                operand_launch(parsed, role, operands[index:])
            return
        count = 1
        if many == "?":
            count = min(1, spare)
            spare -= count
        elif many:
            count = spare + (many == "+")
            spare = 0
        for value in operands[index : index + count]:
            _operand(parsed, role, value, operands[index + 1 :] if not many else [])
            index += 1


def _operand(parsed: Parsed, role: str, value: Value, rest: list[Value]) -> None:
    if role in LAUNCHING or role[:5] in {"code:", "file:"}:
        if role in {"shell", "words", "program", "recipe"}:
            operand_launch(parsed, role, [value])
            return
        kind, _, language = role.partition(":")
        parsed.launches.append(Launch(kind, [value, *rest], language))
    elif role == "cwd":
        parsed.cwd.append(value)
    elif role == "env":
        parsed.assigned.append(value)
    elif role != "data":
        parsed.roles.append((role, value, "operand"))


def operand_launch(parsed: Parsed, role: str, words: Sequence[Value]) -> None:
    """Launch of the operands from here on."""
    if role == "until":
        words = until(words)
    words = words[1:] if words and words[0].text == "--" else words
    if role == "shell-one":
        role = "shell" if len(words) == 1 else "argv"
    if role in {"shell", "words"}:
        parsed.launches.append(Launch(role, [joined(words)]))
    elif role == "recipe":
        parsed.launches.append(Launch("recipe", words))
    else:
        parsed.launches.append(Launch("argv", words))


def option_launch(parsed: Parsed, role: str, value: Value) -> None:
    """Launch of an option's value."""
    kind, _, language = role.partition(":")
    if kind in {"program", "argv"}:
        parsed.launches.append(Launch("argv", [value]))
    elif kind == "shell-one":
        parsed.launches.append(Launch("shell", [value]))
    else:
        parsed.launches.append(Launch(kind, [value], language or "sh"))


def until(words: Sequence[Value]) -> list[Value]:
    """Words up to a lone semicolon."""
    taken: list[Value] = []
    for word in words:
        if word.text == ";":
            break
        taken.append(word)
    return taken


def joined(words: Sequence[Value]) -> Value:
    """Words joined by blanks into one text; known up to the first that is not."""
    if len(words) == 1:
        return words[0]
    texts = [word.text for word in words]
    if None not in texts:
        text = " ".join(text for text in texts if text is not None)
        return Value(text, text)
    known: list[str] = []
    for word in words:
        if word.text is None:
            known.append(word.known)
            break
        known.append(word.text)
    return Value(None, " ".join(known))
