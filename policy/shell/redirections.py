"""Redirections: from the tokens of one to the model's Redirect, and what dash makes of those that only bash knows."""

from __future__ import annotations

from policy.model import Redirect, Word
from policy.shell.nodes import Heredoc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from policy.model import Assignment
    from policy.shell.nodes import Redirection
    from policy.shell.words import Scanner

    Parts: TypeAlias = tuple[tuple[Word, ...], tuple[Assignment, ...], tuple[Redirect, ...]]

_OPERATORS = {
    "LESS": "<",
    "GREATER": ">",
    "GREATER_GREATER": ">>",
    "LESS_LESS": "<<",
    "LESS_LESS_MINUS": "<<-",
    "LESS_LESS_LESS": "<<<",
    "LESS_AND": "<&",
    "GREATER_AND": ">&",
    "LESS_GREATER": "<>",
    "GREATER_BAR": ">|",
    "AND_GREATER": "&>",
    "AND_GREATER_GREATER": "&>>",
}


def redirect(item: Redirection, scanner: Scanner) -> Redirect:
    """A here-string has its word as `body`; `>&-` has the target -."""
    kind, start, end, _, _ = item.target
    payload: Any = item.target[3]
    first = item.operator if item.descriptor is None else item.descriptor
    span = scanner.span(first[1], end)
    written = item.descriptor[3].raw if item.descriptor is not None and isinstance(item.descriptor[3], Word) else ""
    operator = _OPERATORS[item.operator[0]]
    if isinstance(payload, Heredoc):
        return Redirect(operator, written, payload.word, payload.body, span)
    if kind == "DASH":
        payload = Word("-", scanner.span(start, end), "-")
    if operator == "<<<":
        return Redirect(operator, written, None, payload, span)
    return Redirect(operator, written, payload, None, span)


def words_in(item: Redirection) -> int:
    """How many of the lexer's words are in it."""
    return (item.descriptor is not None) + (item.target[0] != "DASH")


def frames_of(item: Redirection) -> tuple[int, ...]:
    """The substitutions in its target or in the body of its here-document."""
    payload = item.target[3]
    return payload.frames if isinstance(payload, Heredoc) else item.target[4]


def as_dash(words: list[Word], redirects: list[Redirect]) -> list[tuple[Parts, str]]:
    """Dash reads `a &>f b` as a in the background and b, and takes 10 and {name} before a redirection for arguments."""
    found: list[tuple[Parts, str]] = []
    apart = [item for item in redirects if item.operator in ("&>", "&>>")]
    at = 0
    for index, item in enumerate(apart):
        until = apart[index + 1].span[0] if index + 1 < len(apart) else words[-1].span[1] if words else 0
        while at < len(words) and words[at].span[0] < item.span[1]:
            at += 1
        first = at
        while at < len(words) and words[at].span[0] < until:
            at += 1
        if at > first:
            found.append(((tuple(words[first:at]), (), (item,)), "&"))
    numbered = [item for item in redirects if len(item.descriptor) > 1]
    if numbered:
        places = [(item.span[0], item.descriptor) for item in numbered]
        arguments = [Word(name, (place, place + len(name)), name) for place, name in places]
        without = tuple([item.replace(descriptor="") for item in numbered])
        found.append(((tuple(sorted([*words, *arguments], key=_start)), (), without), ""))
    return found


def _start(word: Word) -> int:
    return word.span[0]
