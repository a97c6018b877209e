"""${ }: its extent by bash's rules for quotes inside it, and its piece."""

from __future__ import annotations

from policy.model import Piece
from policy.shell.dialects import check_brace
from policy.shell.lexicon import DIGITS, NAME, NAME_START, SPECIAL_PARAMETERS
from policy.shell.quoting import ansi_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.expansions import Expansions
    from policy.shell.pieces import Pieces

_OPERATORS = frozenset("#%^,~:-=?+/")
_PATTERN_OPERATORS = frozenset("#%/^,")
_QUOTING = frozenset("\"'\\")


def brace(scanner: Expansions, start: int, quoted: bool, out: Pieces | None) -> int:
    """Behind ${ at `start`."""
    if scanner.at(start) in (" ", "\t", "\n", "|"):
        return _commands(scanner, start, quoted, out)
    key = (start, '"{' if quoted else "{")
    got = scanner.memo.get(key)
    if not isinstance(got, tuple):
        found, scanner.found = scanner.found, []
        scanner.work.enter(scanner.place(start))
        scanner.work.step(start, 6)
        end = _read(scanner, start, quoted)
        scanner.work.depth -= 1
        got = scanner.memo[key] = end, tuple(scanner.found)
        scanner.found = found
    end, frames = got
    scanner.found.extend(frames)
    if out is not None:
        out.put(parameter(scanner.text[start : end - 1], quoted), start)
    return end


def _read(scanner: Expansions, start: int, quoted: bool) -> int:
    """Find the extent, where single quotes bound text even inside double quotes; what they bound there is expanded nevertheless."""
    i = start
    operator = ""
    expanded = False
    while True:
        i = scanner.next_of(i, "}\\'\"$`<>" if operator else "}\\'\"$`<>#%^,~:-=?+/")
        if i >= scanner.end:
            raise scanner.fail("a ${ is not closed", start - 2)
        character = scanner.text[i]
        if character == "}":
            break
        if not operator and character in _OPERATORS:
            operator = "pattern" if character in _PATTERN_OPERATORS and i > start else "word"
        literal = operator == "pattern" or (operator == "word" and not quoted)
        scanner.work.step(i)
        expanded = expanded or (character == "'" and not literal)
        i = _inside(scanner, i, quoted, operator)
    if expanded:
        scanner.region(start, i, None)
    check_brace(scanner, start, i, quoted=quoted)
    return i + 1


def _inside(scanner: Expansions, i: int, quoted: bool, operator: str) -> int:
    """`operator` is "" in the parameter (a subscript is expanded even in single quotes), "pattern" or "word"."""
    character = scanner.text[i]
    if character == "$" and scanner.at(i + 1) == "'":
        return _ansi(scanner, i, literal=operator == "pattern" or (operator == "word" and not quoted))
    if character == "$":
        if scanner.at(scanner.joined(i + 1)) == "[":
            raise scanner.fail("bash ends a $[ inside ${ } in two ways", i)
        return scanner.dollar(i, quoted=quoted and operator != "pattern", out=None)
    if character == "`":
        return scanner.backtick(i + 1, quoted=quoted, out=None)
    if character in _QUOTING:
        return scanner.skip_quoted(i)
    if character in "<>" and not quoted and scanner.at(scanner.joined(i + 1)) == "(":
        return scanner.substitution(scanner.joined(i + 1) + 1, ")", "process")[0]
    return i + 1


def _ansi(scanner: Expansions, i: int, *, literal: bool) -> int:
    """$' inside ${ }: decoded, and then expanded again unless `literal`."""
    end = scanner.ansi(i + 2)
    decoded = ansi_c(scanner.text[i + 2 : end - 1])
    if not literal and ("$" in decoded or "`" in decoded):
        raise scanner.fail("a $' quote is decoded and then expanded again", i)
    return end


def _commands(scanner: Expansions, start: int, quoted: bool, out: Pieces | None) -> int:
    """${ command; } and ${| command; } of bash 5.3."""
    end, frame = scanner.substitution(start + 1 if scanner.at(start) == "|" else start, "}")
    if out is not None:
        out.put(Piece("command", "", quoted, "", "", frame), start)
    return end


def parameter(body: str, quoted: bool) -> Piece:
    """The piece of ${body}. `${#x}` has the operator "length", `${!x}` "indirect", a subscript "["; a body without a name has no text."""
    prefix = ""
    if body[:1] == "#" and len(body) > 1 and (body[1] in NAME or (len(body) == 2 and body[1] in SPECIAL_PARAMETERS)):
        prefix = "length"
    elif body[:1] == "!" and len(body) > 1 and body[1] in NAME:
        prefix = "indirect"
    start = 1 if prefix else 0
    end = _name_end(body, start)
    name, rest = body[start:end], body[end:]
    if prefix:
        return Piece("param", name, quoted, prefix, rest)
    for operator in (":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "~~"):
        if rest.startswith(operator):
            return Piece("param", name, quoted, operator, rest[2:])
    return Piece("param", name, quoted, rest[:1], rest[1:])


def _name_end(body: str, start: int) -> int:
    first = body[start : start + 1]
    alphabet = NAME if first in NAME_START else DIGITS
    end = start
    while body[end : end + 1] and body[end] in alphabet:
        end += 1
    return end + 1 if end == start and first and first in SPECIAL_PARAMETERS else end
