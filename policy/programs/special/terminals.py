"""tmux and screen: commands of their own, shell text for new windows, keys typed into a shell."""

from __future__ import annotations

from policy.model import Value
from policy.programs.read import Launch, Parsed, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

SUBMIT = frozenset({"Enter", "C-m", "KPEnter", "C-j"})


def tmux(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    r"""tmux; its subcommands may be abbreviated, and several are joined by \;."""
    first, rest = _cut(words)
    parsed = plain(_whole_name(first, grammar), grammar)
    if parsed.subcommand == "send-keys":
        _typed(parsed)
    if parsed.subcommand == "if-shell" and len(parsed.launches) > 1:
        first_text, *others = parsed.launches
        parsed.launches = [first_text, *(Launch("words", [_tmux(launch.words[0])]) for launch in others)]
    for word in words[1:]:
        text = word.text or ""
        if "#(" in text:
            inner = text.partition("#(")[2].rpartition(")")[0]
            parsed.launches.append(Launch("shell", [Value(inner, inner)]))
    if rest:
        more = tmux([words[0], *rest], grammar)
        parsed.launches += more.launches
    return parsed


def _tmux(value: Value) -> Value:
    text = "tmux " + (value.text or value.known)
    return Value(None if value.text is None else text, text)


def _cut(words: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    for index, word in enumerate(words):
        if word.text == ";":
            return list(words[:index]), list(words[index + 1 :])
        if word.text is not None and word.text.endswith(";") and not word.text.endswith("\\;") and not word.quoted:
            head = Value(word.text[:-1], word.text[:-1])
            return [*words[:index], head], list(words[index + 1 :])
    return list(words), []


def _whole_name(words: list[Value], grammar: dict[str, Any]) -> list[Value]:
    """The words with an abbreviated subcommand spelled out."""
    for index, word in enumerate(words[1:], 1):
        text = word.text or ""
        if text[:1] == "-":
            continue
        if text in grammar["subs"] or text in grammar["short"]:
            return words
        previous = words[index - 1].text or ""
        if previous[:1] == "-" and len(previous) == 2 and grammar["opts"].get(previous, ("", 0, ""))[1]:
            continue
        fitting = [name for name in grammar["subs"] if name.startswith(text)]
        if len(fitting) == 1:
            return [*words[:index], Value(fitting[0], fitting[0]), *words[index + 1 :]]
        return words
    return words


def _typed(parsed: Parsed) -> None:
    """The keys as text of a shell, up to where they are submitted."""
    text, known = "", True
    for word in parsed.operands:
        if word.text in SUBMIT:
            text += "\n"
        elif word.text == "Space":
            text += " "
        elif word.text is None:
            text, known = text + word.known, False
            break
        else:
            text += word.text
    if text.strip():
        parsed.launches.append(Launch("shell", [Value(text if known else None, text)]))


def _detached(word: Value) -> tuple[Value, ...]:
    """-dmS NAME: in front of m, the d has no value of its own."""
    text = word.text or ""
    if text[:3] not in {"-dm", "-Dm"}:
        return (word,)
    letters = [text[:2], "-m", *(["-" + text[3:]] if text[3:] else [])]
    return tuple(Value(one, one) for one in letters)


def screen(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """screen; after -X: stuff types, exec, screen and eval run."""
    parsed = plain([part for word in words for part in _detached(word)], grammar)
    if not any(option.name == "-X" for option in parsed.options) or not parsed.operands:
        return parsed
    verb, *rest = parsed.operands
    parsed.launches = []
    if verb.text == "stuff" and rest:
        text = (rest[0].text or rest[0].known).replace("^M", "\n").replace("\\n", "\n").replace("\\015", "\n")
        parsed.launches.append(Launch("shell", [Value(text, text)]))
    elif verb.text in {"exec", "screen"}:
        parsed.launches.append(Launch("argv", rest))
    elif verb.text == "eval":
        for word in rest:
            name, _, text = (word.text or "").partition(" ")
            if name in {"exec", "screen"}:
                parsed.launches.append(Launch("words", [Value(text, text)]))
    return parsed
