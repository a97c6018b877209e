"""${name#pattern}, ${name%pattern}, ${name/pattern/text}, ${name:offset:length}, ${name^} on known text."""

from __future__ import annotations

from policy.model import Value

LONGEST = 160


def apply(text: str, operator: str, operand: str) -> Value:
    """The value after the operator; unknown for one that is not understood, or a text too long to match patterns against."""
    if len(text) > LONGEST:
        return Value(None)
    if operator in {"#", "##"}:
        return _known(_cut_front(text, operand, longest=operator == "##"))
    if operator in {"%", "%%"}:
        return _known(_cut_back(text, operand, longest=operator == "%%"))
    if operator in {"/", "//", "/#", "/%"}:
        return _replaced(text, operator, operand)
    return _slice(text, operand) if operator == ":" else _cased(text, operator, operand)


def _cased(text: str, operator: str, operand: str) -> Value:
    if operator not in {"^^", "^", ",,", ","} or operand:
        return Value(None)
    whole = text.upper() if operator[0] == "^" else text.lower()
    return _known(whole if len(operator) == 2 else whole[:1] + text[1:])


def _known(text: str) -> Value:
    return Value(text, text)


def _cut_front(text: str, pattern: str, *, longest: bool) -> str:
    from policy.flow.globs import matches

    sizes = range(len(text), -1, -1) if longest else range(len(text) + 1)
    for size in sizes:
        if matches(pattern, text[:size]):
            return text[size:]
    return text


def _cut_back(text: str, pattern: str, *, longest: bool) -> str:
    from policy.flow.globs import matches

    starts = range(len(text) + 1) if longest else range(len(text), -1, -1)
    for start in starts:
        if matches(pattern, text[start:]):
            return text[:start]
    return text


def _replaced(text: str, operator: str, operand: str) -> Value:
    pattern, _, new = operand.partition("/")
    if any(mark in pattern for mark in "*?[\\"):
        return Value(None)
    if operator == "/#":
        return _known(new + text[len(pattern) :] if text.startswith(pattern) else text)
    if operator == "/%":
        return _known(text[: len(text) - len(pattern)] + new if text.endswith(pattern) else text)
    return _known(text.replace(pattern, new, -1 if operator == "//" else 1) if pattern else text)


def _slice(text: str, operand: str) -> Value:
    offset, _, length = operand.partition(":")
    try:
        start = int(offset.strip() or "0")
        if start < 0:
            start = max(0, len(text) + start)
        if not length:
            return _known(text[start:])
        size = int(length)
        return _known(text[start : start + size] if size >= 0 else text[start : len(text) + size])
    except ValueError:
        return Value(None)
