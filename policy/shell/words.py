"""The scanner of words: one pass over the source gives a word's extent, its pieces and the substitutions in it."""

from __future__ import annotations

from policy.model import Assignment, Piece, Word
from policy.shell.dialects import expanded_by_zsh
from policy.shell.expansions import Expansions
from policy.shell.lexicon import BREAKS, NAME, NAME_START
from policy.shell.pieces import Pieces

PLAIN, VALUE, PATTERN, REGEX = range(4)
"""How a word is read: an ordinary one; a value, which neither globs nor brace expansions change; an operand of [[ ]]; one behind =~."""

_SPECIAL = BREAKS | frozenset("'\"\\$`~")
_PATTERNS = frozenset("*?[{")
_PLAIN_ENDS = frozenset(" \t\n;&|)")
_EXTGLOB = frozenset("?*+@!")
_QUALIFIERS = frozenset("NDGn./=@*%rwxAIERWXsStFaomchOLUdkMg^,-0123456789[]")
"""Letters of glob qualifiers; those that name code or a shell function (e, +), and P, whose text goes between the words, are none of them."""

_TILDE = NAME | frozenset("+-.")


class Scanner(Expansions):
    __slots__ = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        if self.origin is None:
            return start, end
        return self.place(start), self.place(end)

    def word(self, start: int, mode: int = PLAIN, *, prefix: int = 0) -> tuple[int, Word]:
        """The word at `start`; `prefix` is where its scanning begins when what stands before was looked at (a subscript)."""
        if not prefix and mode != REGEX:
            simple = self.simple(start, mode)
            if simple is not None:
                return simple
        out = Pieces()
        if prefix > start:
            out.put(Piece("glob", self.text[start:prefix]), start)
        end = self._scan(max(start, prefix), mode, out)
        stop = end
        while stop - 2 > start and self.text.endswith("\\\n", start, stop):
            stop -= 2
        word = out.finish(self.text[start:stop], self.span(start, stop), self.text)
        return end, expanded_by_zsh(word) if self.work.zsh and mode <= VALUE else word

    def simple(self, start: int, mode: int) -> tuple[int, Word] | None:
        """The word at `start` when it is plain letters to its end, as most are."""
        text, end = self.text, self.end
        i = start
        while i < end and text[i] not in _SPECIAL:
            i += 1
        if i == start or (i < end and text[i] not in _PLAIN_ENDS) or text[start] == "=":
            return None
        raw = text[start:i]
        if mode != VALUE and not _PATTERNS.isdisjoint(raw):
            return None
        piece = tuple.__new__(Piece, ("text", raw, False, "", "", 0))
        return i, tuple.__new__(Word, (raw, self.span(start, i), raw, (piece,), False))

    def _scan(self, start: int, mode: int, out: Pieces) -> int:
        text, end = self.text, self.end
        i = start
        while i < end:
            j = i
            while j < end and text[j] not in _SPECIAL:
                j += 1
            if j > i:
                run = text[i:j]
                out.add(run, i)
                if mode in (PLAIN, PATTERN) and not _PATTERNS.isdisjoint(run):
                    out.patterns = True
                    self.work.step(i, sum([run.count(sign) for sign in "*?[{"]))
                i = j
                if j >= end:
                    break
            step = self._special(i, start, mode, out)
            if step < 0:
                break
            i = step
        return i

    def _special(self, i: int, start: int, mode: int, out: Pieces) -> int:
        """Over the special character at `i`; -1 where the word ends."""
        self.work.step(i)
        character = self.text[i]
        if character in BREAKS:
            return self._break(i, start, mode, out)
        if character == "~":
            return self._tilde(i, start, mode, out)
        if character == "\\":
            return self._backslash(i, out)
        if character == "'":
            j = self.single(i + 1)
            out.quote(self.text[i + 1 : j - 1], i)
            return j
        if character == "$" and self.at(i + 1) in ("'", '"'):
            out.quoted = True
        return _QUOTES[character](self, i, out)

    def _backslash(self, i: int, out: Pieces) -> int:
        follower = self.at(i + 1)
        if follower == "\n":
            return i + 2
        if not follower:
            out.add("\\", i)
            return i + 1
        out.quote(follower, i)
        return i + 2

    def _break(self, i: int, start: int, mode: int, out: Pieces) -> int:
        character = self.text[i]
        if character in "<>" and self.at(self.joined(i + 1)) == "(":
            end, frame = self.substitution(self.joined(i + 1) + 1, ")", "process")
            out.put(Piece("process", character, frame=frame), i)
            return end
        if mode == REGEX:
            if character == "(":
                j = self.matched(i + 1, "(", ")")
                out.put(Piece("glob", self.text[i:j]), i)
                return j
            if character == "|":
                out.put(Piece("glob", "|"), i)
                return i + 1
        if character == "(" and self.work.zsh and out.patterns and (j := self._qualifier(i)):
            out.put(Piece("glob", self.text[i:j]), i)
            return j
        if character == "(" and i > start and self.text[i - 1] in _EXTGLOB and self._extglob(mode, out):
            prefix = out.take_back()
            j = self.matched(i + 1, "(", ")")
            out.put(Piece("glob", prefix + self.text[i:j]), i - 1)
            return j
        return -1

    def _qualifier(self, i: int) -> int:
        """The offset behind a glob qualifier of zsh that only picks files (`*.py(N)`), 0 where it is none or may run something; elsewhere it is an error."""
        end = self.text.find(")", i, i + 14) + 1
        ends = end > 0 and (end >= self.end or self.text[end] in " \t\n;&|)")
        return end if ends and end > i + 2 and _QUALIFIERS.issuperset(self.text[i + 1 : end - 1]) else 0

    def _extglob(self, mode: int, out: Pieces) -> bool:
        return (mode == PATTERN or self.work.extglob) and out.unquoted_tail()

    def _tilde(self, i: int, start: int, mode: int, out: Pieces) -> int:
        """An unquoted ~ or ~name at the start of a word, or behind the = or a : of a value; anywhere else it is text."""
        j = i + 1
        while self.at(j) and self.text[j] in _TILDE:
            j += 1
        follower = self.at(j)
        ends = not follower or follower == "/" or follower in BREAKS or (follower == ":" and mode == VALUE)
        begins = (
            i == start
            or (mode == VALUE and self.text[i - 1] == ":")
            or (mode == PLAIN and self._after_equals(start, i))
        )
        if begins and ends:
            out.put(Piece("tilde", self.text[i:j]), i)
        else:
            out.add(self.text[i:j], i)
        return j

    def _after_equals(self, start: int, i: int) -> bool:
        """Whether [start, i) is `name=`: bash expands a tilde there in arguments too."""
        name = self.text[start : i - 1]
        return (
            self.text[i - 1] == "="
            and name[:1] in NAME_START
            and name != ""
            and all(character in NAME for character in name)
        )

    # --- assignments

    def name_end(self, i: int) -> int:
        """The offset behind the name at `i`; `i` itself when there is none."""
        text, end = self.text, self.end
        if i >= end or text[i] not in NAME_START:
            return i
        i += 1
        while i < end:
            if text[i] in NAME:
                i += 1
            elif text[i] == "\\" and text.startswith("\\\n", i):
                i += 2
            else:
                break
        return i

    def subscript_end(self, i: int) -> int:
        """From the [ at `i` to behind its ]; what stands inside is expanded even in single quotes."""
        end = self.matched(i + 1, "[", "]")
        self.region(i + 1, end - 1, None)
        return end

    def assignment(self, start: int, name_end: int, subscript: int, equals: int) -> tuple[int, Assignment]:
        """name[subscript]+=value; `subscript` is the offset behind the ], or 0, and `equals` that behind the =."""
        text = self.text
        append = text[equals - 2] == "+" and equals - 2 >= max(name_end, subscript)
        name = text[start:name_end].replace("\\\n", "")
        if self.at(equals) == "(":
            end = self.array(equals)
            pieces = (Piece("array", text[equals + 1 : end - 1]),)
            word = Word(text[equals:end], self.span(equals, end), None, pieces)
        else:
            end, word = self.word(equals, VALUE)
        return end, Assignment(name, word, append, text[name_end + 1 : subscript - 1] if subscript else None)

    def declared(self, start: int, equals: int) -> tuple[int, Word]:
        """name=( ) as an argument: one word of the name and the array."""
        end = self.array(equals)
        out = Pieces()
        out.add(self.text[start:equals].replace("\\\n", ""), start)
        out.put(Piece("array", self.text[equals + 1 : end - 1]), equals)
        return end, out.finish(self.text[start:end], self.span(start, end), self.text)

    def equals_end(self, i: int) -> int:
        """The offset behind `=` or `+=` at `i`, or 0."""
        character = self.at(i)
        if character == "=":
            return i + 1
        if character not in ("+", "\\"):
            return 0
        i = self.joined(i)
        if self.at(i) == "+":
            i = self.joined(i + 1)
        return i + 1 if self.at(i) == "=" else 0

    def array(self, i: int) -> int:
        """From the ( at `i` to behind the ) of a compound assignment: words, ends of line and comments."""
        start = i
        i += 1
        while True:
            i = self.blank_end(i)
            character = self.at(i)
            if not character:
                raise self.fail("an array is not closed", start)
            if character == ")":
                break
            if character == "\n":
                i += 1
            elif character == "#":
                end = self.next_of(i, "\n")
                self.work.comments.append(self.span(i, end))
                i = end
            elif character in BREAKS and not (character in "<>" and self.at(self.joined(i + 1)) == "("):
                raise self.fail(f"unexpected {character} in an array", i)
            else:
                i = self._element(i)
        follower = self.at(i + 1)
        if follower and follower not in BREAKS:
            raise self.fail("text is glued to an array", i + 1)
        return i + 1

    def _element(self, i: int) -> int:
        self.work.step(i, 3)
        prefix = self.subscript_end(i) if self.at(i) == "[" else 0
        end, _ = self.word(i, PLAIN, prefix=prefix)
        if end == i:
            raise self.fail("an array element cannot be read", i)
        return end

    def blank_end(self, i: int) -> int:
        text, end = self.text, self.end
        while i < end:
            if text[i] in " \t":
                i += 1
            elif text[i] == "\\" and i + 1 < end and text[i + 1] == "\n":
                i += 2
            else:
                break
        return i


def _dollar(scanner: Scanner, i: int, out: Pieces) -> int:
    return scanner.dollar(i, quoted=False, out=out)


def _double(scanner: Scanner, i: int, out: Pieces) -> int:
    return scanner.double(i + 1, out)


def _backtick(scanner: Scanner, i: int, out: Pieces) -> int:
    return scanner.backtick(i + 1, quoted=False, out=out)


_QUOTES = {"$": _dollar, '"': _double, "`": _backtick}
