"""Programs whose operands have a form of their own: dd, chmod, make, nox, redis-cli, socat."""

from __future__ import annotations

from policy.model import Option, Value
from policy.programs.options import is_assignment
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def dd(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """dd: if= is read, of= is written; every NAME=value is an option of that name."""
    parsed = plain(words, grammar)
    options: list[Option] = []
    for word in words[1:]:
        text = word.text if word.text is not None else word.known
        name, equals, rest = text.partition("=")
        if not equals:
            parsed.unknown = parsed.unknown or word.splits
            continue
        value = Value(rest if word.text is not None else None, rest, word.glob, raw=word.raw)
        options.append(Option(name + "=", value, name + "="))
        if name in {"if", "of"}:
            parsed.roles.append(("read" if name == "if" else "write", value, name + "="))
    parsed.options += tuple(options)
    return parsed


def chmod(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """chmod: a mode such as -x begins like an option but is the first operand."""
    modes = [index for index, word in enumerate(words[1:], 1) if is_mode(word.text or "")]
    if not modes:
        return plain(words, grammar)
    mode = words[modes[0]]
    rest = [word for index, word in enumerate(words) if index != modes[0]]
    parsed = plain([rest[0], Value("+", "+"), *rest[1:]], grammar)
    parsed.operands = tuple(mode if word.text == "+" else word for word in parsed.operands)
    return parsed


def is_mode(text: str) -> bool:
    """Whether a word like -x or -w is a mode."""
    return len(text) > 1 and text[0] == "-" and set(text[1:]) <= set("rwxXst")


DRY = frozenset({"--dry-run", "--question", "--touch"})
EVALUATED = "-*-eval-flags-*-"
"""The variable in which make itself keeps what --eval gave it."""


def make(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """make: NAME=value words are variables; the recipes of the goals run, also without a goal; with -n, -q and -t only lines that ask for it."""
    parsed = plain(words, grammar)
    goals = [word for word in parsed.operands if word.text is None or not is_assignment(word.text)]
    evaluated = [launch.words[0] for launch in parsed.launches if launch.kind == "code"]
    parsed.launches = []
    text = "\n".join(word.text for word in evaluated if word.text is not None)
    if text:
        parsed.assigned.append(Value(f"{EVALUATED}={text}", f"{EVALUATED}={text}"))
    for word in parsed.operands:
        name, equals, text = (word.text or "").partition("=")
        if not equals:
            continue
        parsed.assigned.append(word)
        if name == "SHELL":
            parsed.launches.append(Launch("argv", [Value(text, text)]))
        if text.startswith("$(shell ") and text.endswith(")"):
            parsed.launches.append(Launch("shell", [Value(text[8:-1], text[8:-1])]))
    file = next(
        (option.value for option in parsed.options if option.name == "--file" and option.value is not None),
        Value("", ""),
    )
    dry = DRY.intersection(option.name for option in parsed.options)
    parsed.launches.append(Launch("recipe", [file, *goals], "dry-run" if dry else ""))
    return parsed


def nox(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """nox: the sessions that -s names, all when it names none; they are only shown with --list."""
    parsed = plain(words, grammar)
    given = {option.name: option.value for option in parsed.options}
    if "--list" in given:
        return parsed
    names = [option.value.text or "" for option in parsed.options if option.name == "--session" and option.value]
    wanted = [Value(name, name) for text in names for name in text.replace(",", " ").split()]
    parsed.launches.append(Launch("recipe", [given.get("--noxfile") or Value("", ""), *wanted]))
    return parsed


def redis(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """redis-cli: the operands are one command of the server, its name the subcommand; without them it reads commands."""
    parsed = plain(words, grammar)
    parsed.launches = []
    if parsed.operands:
        parsed.stdin = ""
        parsed.subcommand = (parsed.operands[0].text or "").upper()
    return parsed


def socat(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """socat: EXEC:words and SYSTEM:text start commands, OPEN:, CREATE: and GOPEN: write files."""
    parsed = plain(words, grammar)
    for word in parsed.operands:
        for address in (word.text or word.known).split("!!"):
            kind, colon, rest = address.partition(":")
            if not colon:
                continue
            kind = kind.upper()
            value = Value(rest.partition(",")[0], rest.partition(",")[0])
            if kind == "EXEC":
                parsed.launches.append(Launch("words", [value]))
            elif kind in {"SYSTEM", "SHELL"}:
                parsed.launches.append(Launch("shell", [value]))
            elif kind in {"OPEN", "CREATE", "GOPEN", "FILE"}:
                parsed.roles.append(("write", value, "operand"))
    return parsed
