"""What the grammar's actions build and policy.shell.script walks: tokens, redirections, here-documents and nodes.

A token is a tuple (kind, start, end, payload, frames): the kind is a terminal of bashlex's grammar, the payload a Word, an
Assignment, a Heredoc (for a here-document's delimiter) or None, and frames the substitutions met inside it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from policy.model import Assignment, Word


class Heredoc:
    """A here-document whose body is read at the next end of line, after its redirection was already reduced."""

    __slots__ = ("body", "delimiter", "expands", "frames", "indented", "word")

    def __init__(self, word: Word, delimiter: str, *, expands: bool, indented: bool) -> None:
        self.word = word
        self.delimiter = delimiter
        self.expands = expands
        self.indented = indented
        self.body: Word | None = None
        self.frames: tuple[int, ...] = ()


class Redirection:
    """`descriptor` and `target` are tokens; the target's payload is a Heredoc for << and <<-."""

    __slots__ = ("descriptor", "operator", "target")

    def __init__(self, descriptor: Token | None, operator: Token, target: Token) -> None:
        self.descriptor = descriptor
        self.operator = operator
        self.target = target


class Node:
    """One command of the grammar, whose `parts` depend on its `kind`.

    simple            tokens and redirections, in order
    pipeline          nodes with the operator's text between them, the last one first
    not, time         one node, or none
    arith, cond       the token
    function, coproc  one node
    all others        (part, list) pairs, where a list is a node, or nodes with the operator's terminal between them and perhaps one at the end
    """

    __slots__ = ("end", "kind", "name", "parts", "redirections", "start", "words")

    def __init__(self, kind: str, start: int, end: int, parts: list[Any]) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.parts = parts
        self.name: Token | None = None
        self.words: list[Token] | None = None
        self.redirections: list[Redirection] = []


if TYPE_CHECKING:
    Token: TypeAlias = tuple[str, int, int, Word | Assignment | Heredoc | None, tuple[int, ...]]
    Unit: TypeAlias = list[Any]
