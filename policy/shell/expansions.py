"""What may stand inside a word: quotes, $-forms, backticks. Each method takes the offset behind the opening and returns that behind the end.

Extents and contents come out of the same pass: a substitution is parsed where it is met, its end is where the grammar cannot go on.
`found` collects the substitutions, `out` (where it is not None) the pieces of the word. Results are remembered by offset, so that a
text which is looked at twice (an arithmetic expression that turns out to be a subshell) is parsed once.
"""

from __future__ import annotations

from policy.model import Piece
from policy.shell.arithmetic import bracket, parenthesis
from policy.shell.budget import Unparsed
from policy.shell.dialects import check_ansi
from policy.shell.lexicon import NAME, NAME_START, SPECIAL_PARAMETERS
from policy.shell.parameters import brace
from policy.shell.quoting import ansi_c, unescape
from policy.shell.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.pieces import Pieces

_OPENING = frozenset("'\"`$\\")
_ESCAPED_IN_DOUBLE = frozenset('$`"\\')
_FORMS = {"(": parenthesis, "{": brace, "[": bracket}


class Expansions(Source):
    __slots__ = ()

    # --- quotes

    def single(self, i: int) -> int:
        j = self.next_of(i, "'")
        if j >= self.end:
            raise self.fail("a single quote is not closed", i - 1)
        return j + 1

    def ansi(self, i: int) -> int:
        start = i
        while True:
            j = self.next_of(i, "'\\")
            if j >= self.end:
                raise self.fail("a $' quote is not closed", i)
            if self.text[j] == "'":
                check_ansi(self.me, start, j)
                return j + 1
            i = j + 2

    def double(self, i: int, out: Pieces | None) -> int:
        start = i
        if out is not None:
            out.quote("", i)
        while True:
            j = self.next_of(i, '"\\$`')
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
                j = self.next_of(i, "\\$`")
                if out is not None and j > i:
                    out.quote(self.text[i:j], i)
                if j >= end:
                    break
                i = self._inside_double(j, out, quote=False)
        finally:
            self.end = bound

    def _inside_double(self, i: int, out: Pieces | None, *, quote: bool = True) -> int:
        self.work.step(i)
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
        self.work.step(i, 2)
        j = self.joined(i + 1)
        character = self.at(j)
        if character in NAME_START and character:
            return self._named(j, quoted, out)
        form = _FORMS.get(character)
        if form is not None:
            return form(self, j + 1, quoted, out)
        if self.work.zsh and character in "=~^+" and character:
            return self._zsh_prefix(i, j, quoted, out)
        if character in SPECIAL_PARAMETERS and character:
            if out is not None:
                out.put(Piece("param", character, quoted), i)
            return j + 1
        if not quoted and character in ("'", '"'):
            return self._dollar_quote(j, out)
        if out is not None:
            out.add("$", i, quoted)
        return i + 1

    def _dollar_quote(self, i: int, out: Pieces | None) -> int:
        """$' or $" whose quote stands at `i`."""
        if self.text[i] == '"':
            return self.double(i + 1, out)
        end = self.ansi(i + 1)
        if out is not None:
            out.quote(ansi_c(self.text[i + 1 : end - 1]), i)
        return end

    def _zsh_prefix(self, i: int, j: int, quoted: bool, out: Pieces | None) -> int:
        """$=name, $~name, $^name and $+name of zsh: an expansion there, text in bash, so that the word is unknown."""
        if out is not None:
            out.put(Piece("param", "", quoted, self.text[j]), i)
        return j + 1

    def _named(self, i: int, quoted: bool, out: Pieces | None) -> int:
        j = i + 1
        text = self.text
        while j < self.end and (text[j] in NAME or text.startswith("\\\n", j)):
            j += 1 if text[j] in NAME else 2
        if out is not None:
            out.put(Piece("param", text[i:j].replace("\\\n", ""), quoted), i)
        return j

    def substitution(self, i: int, closer: str, kind: str = "substitution") -> tuple[int, int]:
        """Parse commands from `i` to the closer that the grammar cannot take: the offset behind it and the frame's number."""
        key = (i, closer)
        got = self.memo.get(key)
        if got is None:
            found, self.found = self.found, []
            depth = self.work.depth
            self.work.enter(self.place(i))
            self.work.step(i, 14)
            try:
                end, units, words = self.work.read(self.me, i, closer)
                got = end, (self.work.frame(kind, units, words, self.me),)
            except Unparsed as error:
                got = error
            finally:
                self.work.depth = depth
                self.found = found
            self.memo[key] = got
        if isinstance(got, Unparsed):
            raise got
        self.found.extend(got[1])
        return got[0], got[1][0]

    def matched(self, i: int, opener: str, closer: str) -> int:
        """The offset behind the closer, with quotes and expansions skipped and nested pairs counted.

        A ( that is not closed by )) begins no arithmetic: that is noted for every pair on the way, so that none is looked at twice.
        """
        opened = [i - 1]
        interesting = opener + closer + "'\"`$\\"
        while True:
            i = self.next_of(i, interesting)
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
            j = self.next_of(i, "`\\")
            if j >= self.end:
                raise self.fail("a backtick is not closed", start - 1)
            if self.text[j] == "`":
                return j + 1
            i = j + 2
