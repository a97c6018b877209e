"""Text to the terminals of bashlex's grammar, with bash's rules for where a word is reserved, an assignment, a number or a pattern.

bashlex's own tokenizer is not used: it misses the tokens of [[ ]], (( )) and case, and costs most of what is left to save (decision
0007). Here-documents are read at the end of the line that opens them, as the shell does.
"""

from __future__ import annotations

from policy.shell.arithmetic import arithmetic
from policy.shell.conditions import condition
from policy.shell.dialects import (
    EVALUATING,
    as_program,
    check_argument,
    check_arithmetic,
    check_assignment,
    check_background,
    check_command_word,
    check_target,
    quoted_subscript,
)
from policy.shell.lexicon import BREAKS, CASE_ENDS, OPERATORS, RESERVED
from policy.shell.state import Lexing
from policy.shell.words import PLAIN, VALUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Word
    from policy.shell.nodes import Token

_DECLARING = frozenset(("declare", "typeset", "local", "export", "readonly", "alias", "eval", "let"))
_DESCRIPTORS = frozenset("0123456789{")
_META = frozenset("|&;()<>")
_NO_TIME = frozenset(("BAR", "BAR_AND", "COPROC"))


class Lexer(Lexing):
    """The tokens of one list of commands, from `start` on. `pending` holds the here-documents that the next end of line brings."""

    __slots__ = ()

    def token(self) -> Token:
        if self.queue:
            return self.emit(*self.queue.pop(0))
        scanner = self.scanner
        start = self._skip()
        scanner.work.step(start, 4)
        if self.last == "WORD" and self._is_argument():
            simple = scanner.simple(start, PLAIN)
            if simple is not None:
                return self._argument(start, *simple)
        character = scanner.at(start)
        if not character:
            return self._end(start)
        if character == "\n":
            self.pos = self.pending.read(start + 1, self.spans)
            return self.emit("NEWLINE", start, start + 1)
        token = None
        if character in _META:
            token = self._meta(start, character)
        elif character == "-" and self.last in ("LESS_AND", "GREATER_AND"):
            token = self.emit("DASH", start, start + 1)
        return self._word(start) if token is None else token

    def _end(self, start: int) -> Token:
        if self.closer:
            raise self.scanner.fail("a substitution is not closed", self.start)
        self.pos = self.pending.read(start, self.spans)
        self.done = True
        return self.emit("EOF", start, start)

    def _is_argument(self) -> bool:
        """Whether a word here is no more than a word: behind another one that is neither a name nor a target, in an ordinary command."""
        return not (
            self.command or self.redirecting or self.declaring or self.evaluating or self.subject or self.case_pattern
        ) and self.before not in ("FUNCTION", "COPROC")

    def _argument(self, start: int, end: int, word: Word) -> Token:
        self.before = "WORD"
        self.pos = end
        self.spans.append((start, end))
        self.words += 1
        return ("WORD", start, end, word, ())

    def close(self, token: Token) -> Token:
        """The end of this list in place of a token that the grammar cannot take: only the closer may be that."""
        kind, start, end, _, _ = token
        if not self.closer or kind != ("RIGHT_PAREN" if self.closer == ")" else "RIGHT_CURLY"):
            what = "the text ends too early" if kind == "EOF" else f"unexpected {self.scanner.text[start:end][:20]!r}"
            raise self.scanner.fail(what, start)
        if self.pending.open:
            raise self.scanner.fail("a here-document is still open where its substitution ends", start)
        self.pos = end
        self.done = True
        return ("EOF", start, end, None, ())

    def _skip(self) -> int:
        """Over blanks, line continuations and a comment."""
        scanner = self.scanner
        text, end = scanner.text, scanner.end
        start = self.pos
        while start < end and text[start] in " \t":
            start += 1
        if start < end and text[start] == "\\":
            start = scanner.blank_end(start)
        if start < end and text[start] == "#":
            after = scanner.next_of(start, "\n")
            scanner.work.comments.append(scanner.span(start, after))
            self.spans.append((start, after))
            return after
        return start

    # --- operators

    def _meta(self, start: int, character: str) -> Token | None:
        scanner = self.scanner
        if character in "<>" and scanner.at(scanner.joined(start + 1)) == "(":
            return None
        if character == "(" and not self.case_pattern and scanner.at(scanner.joined(start + 1)) == "(":
            token = self._arithmetic(start)
            if token is not None:
                return token
        end = start + 1
        kind = OPERATORS[character]
        written = character
        while (i := scanner.joined(end)) < scanner.end and written + scanner.text[i] in OPERATORS:
            if scanner.posix and written == "&" and scanner.text[i] == ">":
                break
            written += scanner.text[i]
            kind = OPERATORS[written]
            end = i + 1
        if kind == "AMPERSAND":
            check_background(scanner, end)
        if kind in CASE_ENDS:
            self.case_pattern = True
        elif kind == "RIGHT_PAREN":
            self.case_pattern = False
        return self.emit(kind, start, end)

    def _arithmetic(self, start: int) -> Token | None:
        scanner = self.scanner
        if scanner.posix or (self.last != "FOR" and not self.reserved_here()):
            return None
        found, scanner.found = scanner.found, []
        inside = scanner.joined(start + 1) + 1
        end = arithmetic(scanner, inside)
        if end:
            check_arithmetic(scanner, inside, end - 2)
            if self.last != "FOR":  # dash refuses for ((
                as_program(scanner, start, end)
        frames, scanner.found = tuple(scanner.found), found
        if not end:
            return None
        return self.emit("ARITH_FOR_EXPRS" if self.last == "FOR" else "ARITH_CMD", start, end, None, frames)

    # --- words

    def _word(self, start: int) -> Token:
        scanner = self.scanner
        mode = VALUE if self.last == "LESS_LESS_LESS" else PLAIN
        simple = scanner.simple(start, mode)
        if simple is not None and not ((self.command or self.declaring) and "=" in simple[1].raw):
            return self._classified(start, *simple)
        found, scanner.found = scanner.found, []
        try:
            return self._scanned(start, mode)
        finally:
            scanner.found = found

    def _scanned(self, start: int, mode: int) -> Token:
        """A word with quotes or expansions, or an assignment."""
        scanner = self.scanner
        prefix = 0
        if (self.command and not self.case_pattern and not self.redirecting) or self.declaring:
            token, prefix = self._assignment(start)
            if token is not None:
                return token
        end, word = scanner.word(start, mode, prefix=prefix)
        if end == start:
            raise scanner.fail(f"unexpected {scanner.text[start : start + 1]!r}", start)
        return self._classified(start, end, word)

    def _classified(self, start: int, end: int, word: Word) -> Token:
        if not word.quoted and word.value is not None:
            token = self._bare(start, end, word)
            if token is not None:
                return token
        if self.last in ("LESS_LESS", "LESS_LESS_MINUS"):
            heredoc = self.pending.add(word, start, indented=self.last == "LESS_LESS_MINUS")
            return self.emit("WORD", start, end, heredoc)
        self._check(start, word)
        return self.emit(
            "WORD", start, end, word, tuple(self.scanner.found) if word.value is None or self.evaluating else ()
        )

    def _check(self, start: int, word: Word) -> None:
        """What the word means for those that follow it, and in other dialects."""
        if self.redirecting:
            if self.last in ("GREATER", "GREATER_GREATER", "AND_GREATER", "AND_GREATER_GREATER", "GREATER_AND"):
                check_target(self.scanner, start)
        elif self.command:
            self.declaring = word.value in _DECLARING
            self.evaluating = word.value if word.value in EVALUATING else ""
            check_command_word(self.scanner, start, word)
        elif self.evaluating:
            check_argument(self.scanner, start, word, self.evaluating)
            quoted_subscript(self.scanner, start, word.value)

    def _assignment(self, start: int) -> tuple[Token | None, int]:
        """An assignment word at `start`, or where the scanning of an ordinary word with a subscript begins."""
        scanner = self.scanner
        name_end = scanner.name_end(start)
        if name_end == start:
            return None, 0
        subscript = 0
        if scanner.at(name_end) == "[" and self.command and not scanner.posix:
            subscript = scanner.subscript_end(name_end)
            if not BREAKS.isdisjoint(scanner.text[name_end:subscript]):
                as_program(scanner, start, subscript, zsh_too=True)
        equals = scanner.equals_end(subscript or name_end)
        if not equals:
            return None, subscript
        if not self.command:
            return (self._declared_array(start, equals) if scanner.at(equals) == "(" else None), 0
        end, payload = scanner.assignment(start, name_end, subscript, equals)
        check_assignment(scanner, start, payload)
        quoted_subscript(scanner, equals, payload.word.value)
        return self.emit("ASSIGNMENT_WORD", start, end, payload, tuple(scanner.found)), 0

    def _declared_array(self, start: int, equals: int) -> Token:
        """name=( ) as an argument of declare and its like: one word whose last piece is the array."""
        scanner = self.scanner
        end, word = scanner.declared(start, equals)
        return self.emit("WORD", start, end, word, tuple(scanner.found))

    def _bare(self, start: int, end: int, word: Word) -> Token | None:
        """The token of an unquoted literal word, when it is more than a word."""
        text = word.raw if "\\\n" not in word.raw else word.raw.replace("\\\n", "")
        descriptor = self._descriptor(start, end, text) if text[0] in _DESCRIPTORS else ""
        if descriptor:
            return self.emit(descriptor, start, end, word)
        kind = None if self.redirecting or self.last == "FUNCTION" else self._reserved(text)
        if kind == "COND_START" and self.scanner.posix:
            return None
        if kind == "COND_START":
            self.queue = condition(self.scanner, start, end)
            return self.emit(*self.queue.pop(0))
        if kind == "":
            self.pos = end
            self.spans.append((start, end))
            return self.token()
        return None if kind is None else self.emit(kind, start, end)

    def _descriptor(self, start: int, end: int, text: str) -> str:
        """NUMBER for digits and REDIR_WORD for {name} glued to a redirection, else nothing."""
        follower = self.scanner.at(end)
        if text.isdigit() and text.isascii() and (follower in ("<", ">") or self.last in ("LESS_AND", "GREATER_AND")):
            return "NUMBER"
        name_end = self.scanner.name_end(start + 1)
        return (
            "REDIR_WORD"
            if follower in ("<", ">") and text[0] == "{" and text[-1] == "}" and name_end == end - 1 > start + 1
            else ""
        )

    def _reserved(self, text: str) -> str | None:
        """The terminal of a reserved word here, None for an ordinary word, "" for an option of `time`, which is dropped."""
        if self.case_pattern:
            ends = text == "esac" and self.last in ("IN", "NEWLINE", *CASE_ENDS)
            self.case_pattern = not ends
            return "ESAC" if ends else None
        if self.subject and text == "in":
            self.case_pattern = self.subject == "CASE"
            return "IN"
        if self.last == "TIME" and text in ("-p", "--"):
            return ""
        begins_body = (self.subject in ("FOR", "SELECT") and text == "do") or (
            self.last == "ARITH_FOR_EXPRS" and text in ("do", "{")
        )
        if begins_body or (self.reserved_here() and not (text == "time" and self._time_is_a_word())):
            return RESERVED.get(text)
        return None

    def _time_is_a_word(self) -> bool:
        return self.last in _NO_TIME or (self.last == "NEWLINE" and self.before in _NO_TIME)
