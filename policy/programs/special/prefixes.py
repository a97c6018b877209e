"""Prefix commands with a twist: env -S, sudo -s, start-stop-daemon."""

from __future__ import annotations

from policy.model import Value
from policy.programs.options import is_assignment, take
from policy.programs.read import Launch, Parsed, joined, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def env(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """env; the text of -S is split, read again as options, assignments and command, and later words follow it."""
    from policy.flow.splitting import split

    for index, word in enumerate(words[1:8], 1):
        text = word.text if word.text is not None else word.known
        rest: list[Value] | None = None
        if text in {"-S", "--split-string"} and index + 1 < len(words):
            rest = [*split(words[index + 1]), *words[index + 2 :]]
        elif text.startswith("--split-string=") or (text[:2] == "-S" and len(text) > 2):
            cut = text.removeprefix("--split-string=") if text[1] == "-" else text[2:]
            rest = [*split(Value(cut if word.text is not None else None, cut)), *words[index + 1 :]]
        elif (
            text[:1] == "-"
            and text[1:2] not in {"-", ""}
            and text.endswith("S")
            and text[1:-1] in {"i", "v", "iv", "vi"}
        ):
            rest = [*split(words[index + 1]), *words[index + 2 :]] if index + 1 < len(words) else []
        if rest is not None:
            return plain([*words[:index], *rest], grammar)
        if text[:1] != "-" and "=" not in text:
            break
    parsed = plain(words, grammar)
    if parsed.operands and parsed.operands[0].text == "-":
        parsed = plain([words[0], Value("-i", "-i"), *parsed.operands[1:]], grammar)
    for launch in parsed.launches:
        while launch.words and is_assignment(launch.words[0].text or ""):
            launch.assigned = (*launch.assigned, launch.words[0])
            launch.words = launch.words[1:]
    return parsed


def setarch(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """setarch: an architecture can only be the very first word (util-linux 2.33)."""
    if len(words) > 1 and (words[1].text or "")[:1] == "-":
        return plain(words, grammar)
    return twice(words, grammar)


def twice(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """sg, and setarch with an architecture: options stand on both sides of the first operand."""
    first = take(words, 1, grammar, None, first=True).stop
    if first >= len(words):
        return plain(words, grammar)
    parsed = plain([words[0], *words[1:first], *words[first + 1 :]], grammar)
    parsed.operands = (words[first], *parsed.operands)
    return parsed


def sudo(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """sudo; with -s or -i the operands are one command line of a shell, in which only $ is still live."""
    parsed = plain(words, grammar)
    names = {option.name for option in parsed.options}
    if names & {"--shell", "--login"} and parsed.operands:
        parsed.launches = [Launch("argv", parsed.operands)]
        whole = joined(parsed.operands)
        if whole.text is not None and "$" in whole.text and not any(mark in whole.text for mark in ";|&<>()`\n'\""):
            parsed.launches = [Launch("shell", [whole])]
    elif names & {"--shell", "--login"}:
        parsed.stdin = "code:sh"
    if "--edit" in names:
        parsed.launches = []
        parsed.roles.extend(("write", value, "operand") for value in parsed.operands)
    return parsed


def start_stop(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """start-stop-daemon: the program of -a, else of -x, with what follows --."""
    parsed = plain(words, grammar)
    program = None
    for option in parsed.options:
        if (option.name == "--exec" and program is None) or option.name == "--startas":
            program = option.value
    parsed.launches = []
    if program is not None and not any(option.name == "--stop" for option in parsed.options):
        parsed.launches.append(Launch("argv", [program, *parsed.operands]))
    return parsed


def flock(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Flock FILE -c TEXT is shell text; any other word after the file is a command; a bare number is a descriptor."""
    parsed = plain(words, grammar)
    rest = parsed.operands[1:]
    if rest and rest[0].text in {"-c", "--command"}:
        parsed.launches = [Launch("shell", [rest[1]])] if len(rest) > 1 else []
    return parsed


def strace(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """strace; -o "|CMD" and -o "!CMD" run CMD through a shell."""
    parsed = plain(words, grammar)
    for option in parsed.options:
        text = (option.value.text or option.value.known) if option.value is not None else ""
        if option.name == "--output" and text[:1] in {"|", "!"}:
            parsed.launches.append(Launch("shell", [Value(text[1:], text[1:])]))
            parsed.roles = [role for role in parsed.roles if role[1] is not option.value]
    return parsed


def capsh(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """capsh: what stands after -- are arguments of bash."""
    parsed = plain(words, grammar)
    for index, word in enumerate(words):
        if word.text in {"--", "=="}:
            parsed.launches.append(Launch("argv", [Value("bash", "bash"), *words[index + 1 :]]))
            break
    return parsed
