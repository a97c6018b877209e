"""Interpreters, editors and pagers whose options hide code: sed, awk, perl, node, vim, less, sqlite3."""

from __future__ import annotations

from policy.model import Value
from policy.programs.paths import base
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def sed(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """sed; without -i its files are only read, unless the script itself writes or runs something."""
    parsed = plain(words, grammar)
    in_place = any(option.name == "--in-place" for option in parsed.options)
    parsed.inert = not in_place and not any(_acts(launch.words[0]) for launch in parsed.launches)
    return parsed


def _acts(script: Value) -> bool:
    text = script.text
    return text is None or any(mark in text for mark in "ewW")


def awk(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """awk; what -v and NAME=value operands give to variables stands before the code."""
    parsed = plain(words, grammar)
    given = [option.value for option in parsed.options if option.name == "--assign" and option.value is not None]
    given += [word for word in parsed.operands if (word.text or "").partition("=")[0].isidentifier()]
    before = "".join(f'{name}="{text}";' for name, text in map(_assigned, given) if text)
    for launch in parsed.launches:
        if launch.kind == "code" and before and launch.words[0].text is not None:
            text = before + launch.words[0].text
            launch.words = (Value(text, text), *launch.words[1:])
    return parsed


def _assigned(value: Value) -> tuple[str, str]:
    name, _, text = (value.text or "").partition("=")
    return name, text.replace("\\", "\\\\").replace('"', '\\"')


def pager(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Less and more; +COMMAND and ++COMMAND are typed at the start, and `!` makes the rest a shell's."""
    typed = [word for word in words[1:] if (word.text or word.known)[:1] == "+"]
    parsed = plain([word for word in words if word not in typed], grammar)
    for word in typed:
        text = (word.text or word.known).lstrip("+")
        if text[:1] in {"!", "#"}:
            parsed.launches.append(Launch("shell", [Value(None if word.text is None else text[1:], text[1:])]))
    return parsed


def perl(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """perl; -M and -m may carry code, and with -n or -p an argument that ends in | is run."""
    parsed = plain([part for word in words for part in _letters(word)], grammar)
    names = {option.name for option in parsed.options}
    for option in parsed.options:
        text = (option.value.text or option.value.known) if option.value is not None else ""
        if option.name in {"-M", "-m"} and ";" in text:
            parsed.launches.append(Launch("code", [Value(text, text)], "perl"))
    if names & {"-n", "-p"}:
        for word in parsed.operands:
            if word.text is not None and word.text.rstrip().endswith("|"):
                parsed.launches.append(Launch("shell", [Value(word.text.rstrip()[:-1], word.text)]))
    return parsed


def _letters(word: Value) -> tuple[Value, ...]:
    """-le and -0777ne: only digits belong to -l and -0, what follows are options again."""
    text = word.text or ""
    if text[:1] != "-" or text[1:2] not in {"l", "0"} or len(text) < 3:
        return (word,)
    end = 2
    while end < len(text) and (
        text[end] in "0123456789" or (text[1] == "0" and text[2:3] in "xX" and text[end] in "xX0123456789abcdefABCDEF")
    ):
        end += 1
    return (
        (word,)
        if end == len(text)
        else (Value(text[:end], text[:end]), *_letters(Value("-" + text[end:], "-" + text[end:])))
    )


def node(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """node; -p takes the next word as code, though it may also stand alone beside -e."""
    rest = [Value("-e", "-e") if word.text in {"-p", "--print"} else word for word in words]
    if any(word.text in {"-e", "--eval", "-pe"} for word in words):
        rest = [word for word in words if word.text not in {"-p", "--print"}]
    return plain(rest, grammar)


def vim(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """vim; +CMD is a command as -c CMD is; with -es its input is a script."""
    rest: list[Value] = [words[0]]
    for word in words[1:]:
        if word.text is not None and len(word.text) > 1 and word.text[0] == "+":
            rest += [Value("-c", "-c"), Value(word.text[1:], word.text[1:])]
        else:
            rest.append(word)
    parsed = plain(rest, grammar)
    names = {option.name for option in parsed.options}
    script = base(words[0].text or "") == "ex" and "-s" in {word.text for word in words}
    if script or names & {"-es", "-Es"} or {"-e", "-s"} <= names:
        parsed.stdin = "code:vim"
    return parsed


def sqlite(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """sqlite3; dot-commands such as .shell run programs."""
    parsed = plain(words, grammar)
    if len(parsed.operands) > 1 or any(option.name == "-cmd" for option in parsed.options):
        parsed.stdin = ""
    return parsed
