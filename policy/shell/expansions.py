"""What may stand inside a word: quotes, $-forms, backticks. Each method takes the offset behind the opening and returns that behind the end.

Extents and contents come out of the same pass: a substitution is parsed where it is met, its end is where the grammar cannot go on.
`found` collects the substitutions, `out` (where it is not None) the pieces of the word. Results are remembered by offset, so that a
text which is looked at twice (an arithmetic expression that turns out to be a subshell) is parsed once.
"""

from __future__ import annotations

from policy.model import Piece
from policy.shell.budget import Unparsed
from policy.shell.quoting import ansi_c, unescape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.budget import Work
    from policy.shell.pieces import Pieces
    from policy.shell.words import Scanner

NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME = NAME_START | frozenset("0123456789")
_SPECIAL_PARAMETERS = frozenset("0123456789@*#?-$!")
_DIGITS = frozenset("0123456789")
_OPERATORS = frozenset("#%^,~:-=?+/")
_PATTERN_OPERATORS = frozenset("#%/^,")
_OPENING = frozenset("'\"`$\\")
_ESCAPED_IN_DOUBLE = frozenset('$`"\\')


class Expansions:
    """One source text with all that was found in it by offset. `end` bounds it; `origin` maps its offsets to the request's text."""

    __slots__ = ("_near", "end", "found", "me", "memo", "origin", "text", "work")

    def __init__(self, text: str, work: Work, origin: list[int] | None = None) -> None:
        self.me: Scanner = self  # type: ignore[assignment]  # nobody makes a bare one
        self.text = text
        self.end = len(text)
        self.work = work
        self.origin = origin
        self.found: list[int] = []
        self.memo: dict[tuple[int, str], tuple[int, tuple[int, ...]] | Unparsed | None] = {}
        self._near: dict[str, tuple[int, int]] = {}

    def at(self, i: int) -> str:
        return self.text[i] if i < self.end else ""

    def joined(self, i: int) -> int:
        """`i` moved over line continuations."""
        while self.text.startswith("\\\n", i) and i + 1 < self.end:
            i += 2
        return i

    def place(self, i: int) -> int:
        """The offset in the request's own text."""
        return i if self.origin is None else self.origin[min(i, len(self.origin) - 1)]

    def fail(self, message: str, i: int) -> Unparsed:
        return Unparsed(message, self.place(min(i, self.end)))

    def _next(self, i: int, characters: str) -> int:
        """The offset of the first of `characters` from `i` on; going forward, each is searched for once in the whole text."""
        near = self._near
        first = self.end
        for character in characters:
            since, j = near.get(character, (0, -1))
            if not since <= i <= j:
                j = self.text.find(character, i)
                if j < 0:
                    j = len(self.text)
                near[character] = i, j
            first = min(first, j)
        return first

    # --- quotes

    def single(self, i: int) -> int:
        j = self._next(i, "'")
        if j >= self.end:
            raise self.fail("a single quote is not closed", i - 1)
        return j + 1

    def ansi(self, i: int) -> int:
        while True:
            j = self._next(i, "'\\")
            if j >= self.end:
                raise self.fail("a $' quote is not closed", i)
            if self.text[j] == "'":
                return j + 1
            i = j + 2

    def double(self, i: int, out: Pieces | None) -> int:
        start = i
        if out is not None:
            out.quote("", i)
        while True:
            j = self._next(i, '"\\$`')
            if j >= self.end:
                raise self.fail("a double quote is not closed", start - 1)
            if out is not None and j > i:
                out.quote(self.text[i:j], i)
            if self.text[j] == '"':
                return j + 1
            i = self._inside_double(j, out)

    def region(self, i: int, end: int, out: Pieces | None) -> None:
        """Read [i, end) as if in double quotes, where a double quote itself means nothing: arithmetic, bodies of here-documents."""
        bound, self.end = self.end, end
        try:
            while i < end:
                j = self._next(i, "\\$`")
                if out is not None and j > i:
                    out.quote(self.text[i:j], i)
                if j >= end:
                    break
                i = self._inside_double(j, out, quote=False)
        finally:
            self.end = bound

    def _inside_double(self, i: int, out: Pieces | None, *, quote: bool = True) -> int:
        character = self.text[i]
        if character == "$":
            return self.dollar(i, quoted=True, out=out)
        if character == "`":
            return self.backtick(i + 1, quoted=quote, out=out)
        follower = self.at(i + 1)
        if out is not None and follower != "\n":
            escaped = follower in _ESCAPED_IN_DOUBLE and (quote or follower != '"')
            out.quote(follower if escaped and follower else "\\" + follower, i)
        return i + 2

    # --- $-forms

    def dollar(self, i: int, *, quoted: bool, out: Pieces | None) -> int:
        """From the $ at `i`."""
        self.work.step(i)
        j = self.joined(i + 1)
        character = self.at(j)
        if character in NAME_START and character:
            return self._named(j, quoted, out)
        form = _FORMS.get(character)
        if form is not None:
            return form(self, j + 1, quoted, out)
        if character in _SPECIAL_PARAMETERS and character:
            if out is not None:
                out.put(Piece("param", character, quoted), i)
            return j + 1
        if not quoted and character == "'":
            end = self.ansi(j + 1)
            if out is not None:
                out.quote(ansi_c(self.text[j + 1 : end - 1]), i)
            return end
        if not quoted and character == '"':
            return self.double(j + 1, out)
        if out is not None:
            out.add("$", i, quoted)
        return i + 1

    def _named(self, i: int, quoted: bool, out: Pieces | None) -> int:
        j = i + 1
        text = self.text
        while j < self.end and (text[j] in NAME or text.startswith("\\\n", j)):
            j += 1 if text[j] in NAME else 2
        if out is not None:
            out.put(Piece("param", text[i:j].replace("\\\n", ""), quoted), i)
        return j

    def parenthesis(self, i: int, quoted: bool, out: Pieces | None) -> int:
        j = self.joined(i)
        if self.at(j) == "(":
            end = self.arithmetic(j + 1)
            if end:
                if out is not None:
                    out.put(Piece("arith", self.text[j + 1 : end - 2], quoted), i)
                return end
            extent = self._matched(j + 1, "(", ")")
            extent = self._matched(extent, "(", ")")
            end, frame = self.substitution(i, ")")
            if end != extent:
                raise self.fail("$(( may be arithmetic or a substitution, and ends differently in each", i)
        else:
            end, frame = self.substitution(i, ")")
        if out is not None:
            out.put(Piece("command", "", quoted, "", "", frame), i)
        return end

    def substitution(self, i: int, closer: str, kind: str = "substitution") -> tuple[int, int]:
        """Parse commands from `i` to the closer that the grammar cannot take: the offset behind it and the frame's number."""
        key = (i, closer)
        got = self.memo.get(key)
        if got is None:
            found, self.found = self.found, []
            self.work.enter(self.place(i))
            try:
                end, units, words = self.work.read(self.me, i, closer)
                got = end, (self.work.frame(kind, units, words, self.me),)
            except Unparsed as error:
                got = error
            finally:
                self.work.depth -= 1
                self.found = found
            self.memo[key] = got
        if isinstance(got, Unparsed):
            raise got
        self.found.extend(got[1])
        return got[0], got[1][0]

    def arithmetic(self, i: int) -> int:
        """The offset behind the )) that belongs to the (( before `i`, or 0 when this is no arithmetic."""
        key = (i, "((")
        if key not in self.memo:
            found, self.found = self.found, []
            before = len(self.work.frames)
            try:
                end = self._matched(i, "(", ")")
                if self.at(end) == ")":
                    self.region(i, end - 1, None)
                    self.memo[key] = end + 1, tuple(self.found)
                else:
                    self.memo[key] = None
                    self.work.tentative.update(range(before + 1, len(self.work.frames) + 1))
            except Unparsed as error:
                if error.rule != "shell/unparsed":
                    raise
                self.memo[key] = None
                self.work.tentative.update(range(before + 1, len(self.work.frames) + 1))
            finally:
                self.found = found
        got = self.memo[key]
        if not isinstance(got, tuple):
            return 0
        self.found.extend(got[1])
        return got[0]

    def bracket(self, i: int, quoted: bool, out: Pieces | None) -> int:
        end = self._matched(i, "[", "]")
        self.region(i, end - 1, None)
        if out is not None:
            out.put(Piece("arith", self.text[i : end - 1], quoted), i)
        return end

    def _matched(self, i: int, opener: str, closer: str) -> int:
        """The offset behind the closer, with quotes and expansions skipped and nested pairs counted.

        A ( that is not closed by )) begins no arithmetic: that is noted for every pair on the way, so that none is looked at twice.
        """
        opened = [i - 1]
        interesting = opener + closer + "'\"`$\\"
        while True:
            i = self._next(i, interesting)
            self.work.step(i)
            if i >= self.end:
                for position in opened:
                    self.memo[position + 1, opener * 2] = None
                raise self.fail(f"a {opener} is not closed", opened[0])
            character = self.text[i]
            if character in _OPENING:
                i = self.skip_quoted(i)
                continue
            i += 1
            if character == opener:
                opened.append(i - 1)
                continue
            position = opened.pop()
            if not opened:
                return i
            if self.at(i) != closer:
                self.memo[position + 1, opener * 2] = None

    def skip_quoted(self, i: int) -> int:
        """Over the quote, escape or expansion that starts at `i`."""
        character = self.text[i]
        if character == "'":
            return self.single(i + 1)
        if character == '"':
            return self.double(i + 1, None)
        if character == "`":
            return self.backtick(i + 1, quoted=False, out=None)
        if character == "$":
            return self.dollar(i, quoted=False, out=None)
        return i + 2

    def backtick(self, i: int, *, quoted: bool, out: Pieces | None) -> int:
        """A substitution in backticks: its text is unescaped once and then parsed on its own."""
        key = (i, '"`' if quoted else "`")
        if key not in self.memo:
            end = self._backtick_end(i)
            body, offsets = unescape(self.text[i : end - 1], '\\`$"' if quoted else "\\`$")
            inner = type(self)(body, self.work, [self.place(i + offset) for offset in offsets])
            end_of_body, frame = inner.substitution(0, "")
            if end_of_body != len(body):
                raise self.fail("a substitution in backticks was not read to its end", i)
            self.memo[key] = end, (frame,)
        end, frames = self.memo[key]  # type: ignore[misc]  # set just above, and never to anything else
        self.found.extend(frames)
        if out is not None:
            out.put(Piece("command", "", quoted, "", "", frames[0]), i)
        return end

    def _backtick_end(self, i: int) -> int:
        start = i
        while True:
            j = self._next(i, "`\\")
            if j >= self.end:
                raise self.fail("a backtick is not closed", start - 1)
            if self.text[j] == "`":
                return j + 1
            i = j + 2

    # --- ${ }

    def brace(self, start: int, quoted: bool, out: Pieces | None) -> int:
        """${ }: single quotes inside double quotes bound the text and yet are expanded, unless a pattern stands there."""
        if self.at(start) in " \t\n|":
            return self._command_brace(start, quoted, out)
        self.work.enter(self.place(start))
        i = start
        operator = ""
        while True:
            j = self._next(i, "}\\'\"$`<>" if operator else "}\\'\"$`<>#%^,~:-=?+/")
            if j >= self.end:
                raise self.fail("a ${ is not closed", start - 2)
            character = self.text[j]
            if character == "}":
                break
            if not operator and character in _OPERATORS:
                operator = "pattern" if character in _PATTERN_OPERATORS and j > start else "word"
            i = self._inside_brace(j, quoted, operator)
        self.work.depth -= 1
        if out is not None:
            out.put(parameter(self.text[start:j], quoted), start)
        return j + 1

    def _inside_brace(self, i: int, quoted: bool, operator: str) -> int:
        """`operator` is "" in the parameter (a subscript is expanded even in single quotes), "pattern" or "word"."""
        character = self.text[i]
        literal = operator == "pattern" or (operator == "word" and not quoted)
        if character == "'" or (character == "$" and self.at(i + 1) == "'"):
            return self._quote_inside_brace(i, literal)
        if character == "$":
            return self.dollar(i, quoted=quoted and operator != "pattern", out=None)
        if character == "`":
            return self.backtick(i + 1, quoted=quoted, out=None)
        if character in _OPENING:
            return self.skip_quoted(i)
        if character in "<>" and not quoted and self.at(self.joined(i + 1)) == "(":
            return self.substitution(self.joined(i + 1) + 1, ")", "process")[0]
        return i + 1

    def _quote_inside_brace(self, i: int, literal: bool) -> int:
        """A quote that bounds text and yet does not keep it from being expanded, unless `literal`."""
        if self.text[i] == "'":
            end = self.single(i + 1)
            if not literal:
                self.region(i + 1, end - 1, None)
            return end
        end = self.ansi(i + 2)
        decoded = ansi_c(self.text[i + 2 : end - 1])
        if not literal and ("$" in decoded or "`" in decoded):
            raise self.fail("a $' quote is decoded and then expanded again", i)
        return end

    def _command_brace(self, start: int, quoted: bool, out: Pieces | None) -> int:
        """${ command; } and ${| command; } of bash 5.3."""
        end, frame = self.substitution(start + 1 if self.at(start) == "|" else start, "}")
        if out is not None:
            out.put(Piece("command", "", quoted, "", "", frame), start)
        return end


def parameter(body: str, quoted: bool) -> Piece:
    """The piece of ${body}. `${#x}` has the operator "length", `${!x}` "indirect", a subscript "["; a body without a name has no text."""
    prefix = ""
    if body[:1] == "#" and len(body) > 1 and (body[1] in NAME or (len(body) == 2 and body[1] in _SPECIAL_PARAMETERS)):
        prefix = "length"
    elif body[:1] == "!" and len(body) > 1 and body[1] in NAME:
        prefix = "indirect"
    start = 1 if prefix else 0
    end = _parameter_end(body, start)
    name, rest = body[start:end], body[end:]
    if prefix:
        return Piece("param", name, quoted, prefix, rest)
    for operator in (":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "~~"):
        if rest.startswith(operator):
            return Piece("param", name, quoted, operator, rest[2:])
    return Piece("param", name, quoted, rest[:1], rest[1:])


def _parameter_end(body: str, start: int) -> int:
    first = body[start : start + 1]
    alphabet = NAME if first in NAME_START else _DIGITS
    end = start
    while body[end : end + 1] and body[end] in alphabet:
        end += 1
    return end + 1 if end == start and first and first in _SPECIAL_PARAMETERS else end


_FORMS = {"(": Expansions.parenthesis, "{": Expansions.brace, "[": Expansions.bracket}
