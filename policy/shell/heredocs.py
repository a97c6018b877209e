"""Here-documents: opened by a redirection, read at the next end of line, in order."""

from __future__ import annotations

from policy.shell.nodes import Heredoc
from policy.shell.pieces import Pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Piece, Word
    from policy.shell.words import Scanner

_LITERAL = frozenset(("text", "glob", "brace", "tilde"))


class Pending:
    """The here-documents of one list that wait for their bodies."""

    __slots__ = ("open", "scanner")

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.open: list[Heredoc] = []

    def add(self, word: Word, start: int, *, indented: bool) -> Heredoc:
        """Open one. Delimiters that shells read differently ($'E', an expansion inside quotes, a substitution) are refused."""
        if "$'" in word.raw or '$"' in word.raw:
            raise self.scanner.fail("shells differ on the delimiter of a here-document", start)
        if all(piece.kind in _LITERAL for piece in word.pieces):
            delimiter = "".join([piece.text for piece in word.pieces])
        elif not word.quoted and all(piece.kind in _LITERAL or piece.kind == "param" for piece in word.pieces):
            delimiter = word.raw
        else:
            raise self.scanner.fail("the delimiter of a here-document is not plain text", start)
        heredoc = Heredoc(word, delimiter, expands=not word.quoted, indented=indented)
        self.open.append(heredoc)
        return heredoc

    def read(self, start: int, spans: list[tuple[int, int]]) -> int:
        """Read the bodies that begin at `start`; returns the offset behind the last delimiter."""
        if not self.open:
            return start
        if start >= self.scanner.end and self.scanner.origin is not None:
            raise self.scanner.fail("a here-document is still open where its substitution ends", start)
        for heredoc in self.open:
            self.scanner.work.step(start, 12)
            end, after = self._extent(heredoc, start)
            self._body(heredoc, start, end)
            spans.append((start, after))
            start = after
        self.open = []
        return start

    def _extent(self, heredoc: Heredoc, start: int) -> tuple[int, int]:
        """Where the body ends and what follows its delimiter; the end of the text ends it too."""
        scanner = self.scanner
        text, end = scanner.text, scanner.end
        i = start
        while i < end:
            line, after = _line(text, i, end, joins=heredoc.expands)
            if (line.lstrip("\t") if heredoc.indented else line) == heredoc.delimiter:
                return i, after
            i = after
        return end, end

    def _body(self, heredoc: Heredoc, start: int, end: int) -> None:
        scanner = self.scanner
        out = Pieces()
        if heredoc.expands:
            found, scanner.found = scanner.found, []
            scanner.region(start, end, out)
            heredoc.frames, scanner.found = tuple(scanner.found), found
        elif end > start:
            out.add(scanner.text[start:end], start, quoted=True)
        if heredoc.indented:
            out.flush()
            out.items = _unindented(out.items)
        word = out.finish(scanner.text[start:end], scanner.span(start, end), scanner.text)
        heredoc.body = word.replace(quoted=not heredoc.expands)


def _line(text: str, start: int, end: int, *, joins: bool) -> tuple[str, int]:
    """The logical line at `start` without its end, and the offset behind it; `joins`: a backslash continues it."""
    i = start
    while True:
        j = text.find("\n", i, end)
        if j < 0:
            line, after = text[start:end], end
            break
        backslashes = len(text[start:j]) - len(text[start:j].rstrip("\\"))
        if not joins or backslashes % 2 == 0:
            line, after = text[start:j], j + 1
            break
        i = j + 1
    return (line.replace("\\\n", "") if joins else line), after


def _unindented(items: list[tuple[int, Piece]]) -> list[tuple[int, Piece]]:
    """Without the tabs at the beginning of each line."""
    out: list[tuple[int, Piece]] = []
    fresh = True
    for start, piece in items:
        if piece.kind != "text":
            out.append((start, piece))
            fresh = False
            continue
        lines = piece.text.split("\n")
        kept = [lines[0].lstrip("\t") if fresh else lines[0], *[line.lstrip("\t") for line in lines[1:]]]
        fresh = kept[-1] == "" and (len(lines) > 1 or fresh)
        out.append((start, piece.replace(text="\n".join(kept))))
    return out
