"""The inside of [[ ]]: words and operators up to the closing ]], only for its extent and its substitutions."""

from __future__ import annotations

from policy.shell.dialects import as_program, check_condition, quoted_subscript
from policy.shell.lexicon import BREAKS
from policy.shell.words import PATTERN, REGEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.words import Scanner

    Part = tuple[str, int, int, object, tuple[int, ...]]

_META = frozenset("|&;()<>")


def condition(scanner: Scanner, start: int, end: int) -> list[Part]:
    """The three tokens of the condition whose [[ is [start, end)."""
    i = end
    mode = PATTERN
    listed = False
    while True:
        i = scanner.blank_end(i)
        after = _operator(scanner, i, mode)
        if after:
            listed = listed or scanner.text[i:after] != "&&"
            i = after
            mode = PATTERN
            continue
        begin = i
        scanner.work.step(i, 3)
        i, word = scanner.word(begin, mode)
        if i == begin:
            raise scanner.fail("a [[ is not closed" if not scanner.at(i) else "unexpected text in a condition", start)
        if word.raw == "]]":
            break
        quoted_subscript(scanner, begin, word.value)
        listed = listed or any(piece.kind == "glob" and not _META.isdisjoint(piece.text) for piece in word.pieces)
        mode = REGEX if word.raw == "=~" else PATTERN
    if scanner.at(i) and scanner.at(i) not in BREAKS:
        raise scanner.fail("text is glued to a ]]", i)
    check_condition(scanner, end, begin)
    if listed:
        as_program(scanner, start, i)
    return [
        ("COND_START", start, end, None, ()),
        ("COND_CMD", end, begin, None, tuple(scanner.found)),
        ("COND_END", begin, i, None, ()),
    ]


def _operator(scanner: Scanner, i: int, mode: int) -> int:
    """The offset behind an operator at `i`, 0 where a word begins."""
    character = scanner.at(i)
    if character == "\n" or (character in ("(", ")") and mode != REGEX):
        return i + 1
    if scanner.text.startswith(("&&", "||"), i):
        return i + 2
    if character in ("<", ">") and scanner.at(scanner.joined(i + 1)) != "(":
        return i + 1
    return 0
