"""The quick branch: texts of plain words, without the grammar. It gives the Script that the grammar would give, or None.

Plain is: letters, digits and _ . / : , @ % + - = in words, quotes around those, blanks, ends of line, and the operators ; && || and |.
Anything else, and any text that is not sure to be well formed, is left to the grammar.
"""

from __future__ import annotations

from policy.model import Command, Frame, Piece, Script, Word
from policy.shell.lexicon import RESERVED, ZSH_SPECIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Redirect

_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+-="
_PLAIN = dict.fromkeys(map(ord, _WORD + " \t\n;&|'\""))
_ENDS = frozenset(" \t\n;&|")
_BREAKS = _ENDS | frozenset("'\"")
_NO_REDIRECTS: tuple[Redirect, ...] = ()


def script(text: str, dialect: str) -> Script | None:
    """The Script of a plain text; None for every other text."""
    if text.translate(_PLAIN):
        return None
    found = _Lists(careful=dialect != "bash")
    i, end = 0, len(text)
    while i < end:
        character = text[i]
        if character in " \t":
            i += 1
        elif character in "\n;&|":
            i = found.operator(text, i)
        else:
            i = found.word(text, i)
        if i < 0:
            return None
    return found.finish(text, dialect)


class _Lists:
    """The commands so far, the words of the one that is being read, and where the pipeline that it belongs to began.

    `careful`: another shell than bash may see more in name=value than a word, so that such words are left to the grammar.
    """

    __slots__ = ("careful", "commands", "first", "joiner", "pipelines", "waiting", "words")

    def __init__(self, *, careful: bool) -> None:
        self.careful = careful
        self.commands: list[Command] = []
        self.words: list[Word] = []
        self.first = 0
        self.pipelines = 0
        self.joiner = ""
        self.waiting = False

    def operator(self, text: str, i: int) -> int:
        """Over the operator at `i`, -1 where it may not stand. `waiting`: a command must follow, ends of line may come first."""
        character = text[i]
        doubled = text.startswith(character, i + 1) and character in "&|"
        written = character * 2 if doubled else character
        if character == "\n" and not self.words:
            return i + 1
        if not self.words or written == "&" or text.startswith(("|&", ";;"), i):
            return -1
        self._command()
        if written != "|":
            self._pipeline()
        self.joiner = ";" if written == "\n" else written
        self.waiting = written in ("&&", "||", "|")
        return i + len(written)

    def word(self, text: str, i: int) -> int:
        """Over the word at `i`, -1 where it is not plain: a reserved word, an assignment, an alias, an open quote."""
        start = i
        end = len(text)
        pieces: list[tuple[str, bool]] = []
        quoted = False
        while i < end and (character := text[i]) not in _ENDS:
            if character in "'\"":
                close = text.find(character, i + 1)
                if close < 0:
                    return -1
                quoted = True
                piece, i = text[i + 1 : close], close + 1
            else:
                j = i
                while j < end and text[j] not in _BREAKS:
                    j += 1
                piece, i = text[i:j], j
            inside = character in "'\""
            if pieces and pieces[-1][1] == inside:
                pieces[-1] = pieces[-1][0] + piece, inside
            elif piece:
                pieces.append((piece, inside))
        value = "".join([piece for piece, _ in pieces])
        if (
            value[:1] == "="
            or (self.careful and value.partition("=")[0] in ZSH_SPECIAL)
            or (not self.words and ("=" in value or value in RESERVED or value == "alias"))
        ):
            return -1
        made = tuple([tuple.__new__(Piece, ("text", piece, inside, "", "", 0)) for piece, inside in pieces])
        self.words.append(tuple.__new__(Word, (text[start:i], (start, i), value, made, quoted)))
        return i

    def _command(self) -> None:
        words = tuple(self.words)
        span = words[0].span[0], words[-1].span[1]
        self.commands.append(tuple.__new__(Command, (words, (), _NO_REDIRECTS, (), self.joiner, span, True)))
        self.words = []

    def _pipeline(self) -> None:
        """Give the members of a pipeline their frames."""
        if len(self.commands) - self.first > 1:
            self.pipelines += 1
            for place, command in enumerate(self.commands[self.first :]):
                frame = Frame("pipe", self.pipelines, str(place))
                self.commands[self.first + place] = command.replace(context=(frame,))
        self.first = len(self.commands)

    def finish(self, text: str, dialect: str) -> Script | None:
        if self.words:
            self._command()
        elif self.waiting:
            return None
        self._pipeline()
        return Script(text, tuple(self.commands), (), dialect)
