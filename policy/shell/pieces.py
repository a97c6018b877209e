"""Building a Word out of the runs and pieces that the scanner meets, in order."""

from __future__ import annotations

from policy.model import Piece, Word
from policy.shell.budget import Unparsed

_GLOB = frozenset("*?[")
_DEEPEST = 20


class Pieces:
    """The pieces of one word so far, each with the offset where it starts.

    Text is gathered in a run and becomes a piece when something else follows. Unquoted text is kept as written until `finish`, which
    finds brace expansions (they span pieces) and globs in it.
    """

    __slots__ = ("_end", "_quoted", "_run", "_start", "items", "patterns", "quoted", "static")

    def __init__(self) -> None:
        self.items: list[tuple[int, Piece]] = []
        self.quoted = False
        self.static = True
        self.patterns = False
        self._run: list[str] = []
        self._start = self._end = 0
        self._quoted = False

    def add(self, text: str, start: int, quoted: bool = False) -> None:
        if self._run and (self._quoted != quoted or (not quoted and self._end != start)):
            self.flush()
        if not self._run:
            self._start, self._quoted = start, quoted
        self._run.append(text)
        self._end = start + len(text)

    def quote(self, text: str, start: int) -> None:
        """Quoted text; empty text only says that quotes stood there."""
        self.quoted = True
        if text:
            self.add(text, start, quoted=True)

    def put(self, piece: Piece, start: int) -> None:
        self.flush()
        if piece.kind != "tilde":
            self.static = False
        self.items.append((start, piece))

    def flush(self) -> None:
        if self._run:
            run = self._run
            self.items.append((self._start, _text(run[0] if len(run) == 1 else "".join(run), self._quoted)))
            self._run = []

    def unquoted_tail(self) -> bool:
        """Whether the last character so far is unquoted text."""
        return bool(self._run) and not self._quoted

    def take_back(self) -> str:
        """Remove and return the last character, which was unquoted text."""
        text = self._run.pop()
        if len(text) > 1:
            self._run.append(text[:-1])
        self._end -= 1
        return text[-1]

    def finish(self, raw: str, span: tuple[int, int], source: str) -> Word:
        """The word whose pieces were found in `source`."""
        self.flush()
        if self.patterns:
            self._braces(source)
            self._globs()
        pieces: list[Piece] = []
        for _, piece in self.items:
            if pieces and piece.kind == "text" == pieces[-1].kind and piece.quoted == pieces[-1].quoted:
                pieces[-1] = _text(pieces[-1].text + piece.text, piece.quoted)
            else:
                pieces.append(piece)
        value = "".join([piece.text for piece in pieces]) if self.static else None
        return tuple.__new__(Word, (raw, span, value, tuple(pieces), self.quoted))

    def _braces(self, source: str) -> None:
        """Replace what lies between the outermost braces of each valid brace expansion by one piece."""
        opened: list[list[int]] = []
        spans: list[tuple[int, int]] = []
        for start, piece in self.items:
            if piece.kind != "text" or piece.quoted:
                continue
            for offset, character in enumerate(piece.text, start):
                if character == "{":
                    opened.append([offset, 0])
                    self._check_depth(opened)
                elif character == "," and opened:
                    opened[-1][1] = 1
                elif character == "}" and opened:
                    first, comma = opened.pop()
                    if comma or is_sequence(source[first + 1 : offset]):
                        while spans and spans[-1][0] > first:
                            spans.pop()
                        spans.append((first, offset + 1))
        if spans:
            self._joined(spans, source)

    @staticmethod
    def _check_depth(opened: list[list[int]]) -> None:
        """Brace expansions nested deeper than anybody writes them are refused: what expands them is free to recurse."""
        if len(opened) > _DEEPEST and any(comma for _, comma in opened[-_DEEPEST:]):
            raise Unparsed("brace expansions are nested too deeply", opened[-1][0], "shell/too-deep")

    def _joined(self, spans: list[tuple[int, int]], source: str) -> None:
        """What lies in each of `spans`, which are in order and apart, as one piece; text that reaches out of one is cut."""
        items: list[tuple[int, Piece]] = []
        current, shown = 0, -1
        for start, piece in self.items:
            plain = piece.kind == "text" and not piece.quoted
            stop = start + len(piece.text) if plain else start + 1
            at = start
            while at < stop:
                while current < len(spans) and spans[current][1] <= at:
                    current += 1
                first, end = spans[current] if current < len(spans) else (stop, stop)
                if first > at:
                    cut = min(first, stop)
                    whole = at == start and cut == stop
                    items.append((at, piece if whole else _text(piece.text[at - start : cut - start], quoted=False)))
                    at = cut
                    continue
                if shown != current:
                    items.append((first, Piece("brace", source[first:end])))
                    shown = current
                at = end
        self.items = items
        self.static = False

    def _globs(self) -> None:
        items: list[tuple[int, Piece]] = []
        later = any("]" in piece.text for _, piece in self.items if piece.kind == "text" and not piece.quoted)
        for start, piece in self.items:
            if piece.kind != "text" or piece.quoted or _GLOB.isdisjoint(piece.text):
                items.append((start, piece))
                continue
            for offset, text, is_glob in _split(piece.text, later):
                items.append((start + offset, Piece("glob", text) if is_glob else _text(text, quoted=False)))
                self.static = self.static and not is_glob
        self.items = items


def _text(text: str, quoted: bool) -> Piece:
    return tuple.__new__(Piece, ("text", text, quoted, "", "", 0))


def _split(text: str, later: bool) -> list[tuple[int, str, bool]]:
    """(offset, text, whether it is a glob): a [ counts only if a ] may close it, in this run or a later one of the word."""
    out: list[tuple[int, str, bool]] = []
    begin = i = 0
    closed = True
    while i < len(text):
        character = text[i]
        end = 0
        if character in "*?":
            end = i + 1
        elif character == "[" and later:
            close = text.find("]", i + 2) if closed else -1
            closed = close >= 0
            end = close + 1 if closed else i + 1
        if end:
            if i > begin:
                out.append((begin, text[begin:i], False))
            out.append((i, text[i:end], True))
            begin = i = end
        else:
            i += 1
    if begin < len(text):
        out.append((begin, text[begin:], False))
    return out


def is_sequence(body: str) -> bool:
    """Whether {body} is a sequence such as 1..3, a..e or 0..10..2."""
    parts = body.split("..")
    if len(parts) not in (2, 3):
        return False
    numbers = [_is_number(part) for part in parts]
    letters = [len(part) == 1 and part.isalpha() and part.isascii() for part in parts]
    return (all(numbers[:2]) or all(letters[:2])) and (len(parts) == 2 or numbers[2])


def _is_number(part: str) -> bool:
    digits = part[1:] if part[:1] in ("-", "+") else part
    return digits.isascii() and digits.isdigit()
