"""Where the lexer stands: what the last tokens were, and what that allows the next word to be."""

from __future__ import annotations

from policy.shell.heredocs import Pending
from policy.shell.lexicon import CASE_ENDS, OPENERS, REDIRECTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.conditions import Part
    from policy.shell.nodes import Token
    from policy.shell.words import Scanner


class Lexing:
    """`command`: the next word may be the command's name. `pending` holds the here-documents that the next end of line brings."""

    __slots__ = (
        "before", "case_pattern", "closer", "command", "declaring", "done", "evaluating", "last", "pending", "pos", "queue", "redirecting", "scanner",
        "spans", "start", "subject", "words",
    )  # fmt: skip

    def __init__(self, scanner: Scanner, start: int, closer: str) -> None:
        self.scanner = scanner
        self.start = self.pos = start
        self.closer = closer
        self.done = False
        self.last = ""
        self.before = ""
        self.command = True
        self.redirecting = False
        self.declaring = False
        self.evaluating = ""
        self.case_pattern = False
        self.subject = ""
        self.queue: list[Part] = []
        self.pending = Pending(scanner)
        self.spans: list[tuple[int, int]] = []
        self.words = 0

    def emit(self, kind: str, start: int, end: int, payload: object = None, frames: tuple[int, ...] = ()) -> Token:
        if kind == "WORD" and self.last in ("FOR", "SELECT", "CASE"):
            self.subject = self.last
        elif kind != "NEWLINE":
            self.subject = ""
        self.before, self.last = self.last, kind
        if end > start:
            self.spans.append((start, end))
        if kind not in ("NEWLINE", "EOF"):
            self.pos = end
        if kind in REDIRECTING:
            self.redirecting = True
        elif kind in OPENERS:
            self.command = True
            self.declaring = self.redirecting = False
            self.evaluating = ""
        elif (kind == "WORD" and self.redirecting) or kind in ("NUMBER", "DASH"):
            self.redirecting = False
        elif kind not in ("ASSIGNMENT_WORD", "REDIR_WORD"):
            self.command = False
        if payload is not None or frames or kind in ("COND_CMD", "ARITH_CMD", "ARITH_FOR_EXPRS"):
            self.words += 1
        return (kind, start, end, payload, frames)  # type: ignore[return-value]

    def reserved_here(self) -> bool:
        return (
            self.last in OPENERS
            or (self.last in CASE_ENDS)
            or (self.last == "WORD" and self.before in ("FUNCTION", "COPROC") and not self.redirecting)
        )
