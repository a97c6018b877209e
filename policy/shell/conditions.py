"""The inside of [[ ]]: words and operators up to the closing ]], only for its extent and its substitutions."""

from __future__ import annotations

from policy.shell.words import BREAKS, PATTERN, REGEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.words import Scanner

    Part = tuple[str, int, int, object, tuple[int, ...]]

_REFUSED = frozenset(";&|")


def condition(scanner: Scanner, start: int, end: int) -> list[Part]:
    """The three tokens of the condition whose [[ is [start, end)."""
    i = end
    mode = PATTERN
    while True:
        i = scanner.blank_end(i)
        character = scanner.at(i)
        if not character:
            raise scanner.fail("a [[ is not closed", start)
        if character == "\n" or (character in "()" and mode != REGEX):
            i += 1
        elif scanner.text.startswith(("&&", "||"), i):
            i += 2
        elif character in "<>" and scanner.at(scanner.joined(i + 1)) != "(":
            i += 1
        elif character in _REFUSED and not (character == "|" and mode == REGEX):
            raise scanner.fail(f"unexpected {character} in a condition", i)
        else:
            begin = i
            scanner.work.step(i)
            i, word = scanner.word(begin, mode)
            if i == begin:
                raise scanner.fail(f"unexpected {character} in a condition", i)
            if word.raw == "]]":
                break
            mode = REGEX if word.raw == "=~" else PATTERN
            continue
        mode = PATTERN
    if scanner.at(i) and scanner.at(i) not in BREAKS:
        raise scanner.fail("text is glued to a ]]", i)
    return [
        ("COND_START", start, end, None, ()),
        ("COND_CMD", end, begin, None, tuple(scanner.found)),
        ("COND_END", begin, i, None, ()),
    ]
