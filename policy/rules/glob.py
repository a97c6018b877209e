"""Shell-like patterns over whole words without `re`, which costs more at start-up than the rest of the hook."""

from __future__ import annotations


def matches(text: str, pattern: str) -> bool:
    """Whether `pattern` covers the whole text: `*` any run of characters (slashes too), `?` one, `[abc]` or `[!a-c]` one of a set."""
    if "?" not in pattern and "[" not in pattern:
        return _stars(text, pattern)
    text_at = pattern_at = 0
    star, resume = -1, 0
    while text_at < len(text):
        step = _one(text[text_at], pattern, pattern_at)
        if step:
            text_at, pattern_at = text_at + 1, pattern_at + step
        elif pattern_at < len(pattern) and pattern[pattern_at] == "*":
            star, resume = pattern_at, text_at
            pattern_at += 1
        elif star >= 0:
            resume += 1
            text_at, pattern_at = resume, star + 1
        else:
            return False
    return not pattern[pattern_at:].strip("*")


def _stars(text: str, pattern: str) -> bool:
    """The same for patterns of plain text and `*` alone, which almost all are, without a loop over characters."""
    first, star, rest = pattern.partition("*")
    if not star:
        return text == first
    *middle, last = rest.split("*")
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        at = text.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


def _one(character: str, pattern: str, at: int) -> int:
    """How many characters of the pattern at `at` stand for exactly this character; 0 when none do."""
    if at >= len(pattern) or pattern[at] == "*":
        return 0
    if pattern[at] == "[" and (end := pattern.find("]", at + 2)) > 0:
        return end + 1 - at if _in_set(character, pattern[at + 1 : end]) else 0
    return 1 if pattern[at] in ("?", character) else 0


def _in_set(character: str, members: str) -> bool:
    if members[0] in "!^":
        return not _in_set(character, members[1:])
    for low in range(len(members)):
        if members[low] == character:
            return True
        if members[low + 1 : low + 2] == "-" and members[low + 2 :] and members[low] <= character <= members[low + 2]:
            return True
    return False


def has_magic(pattern: str) -> bool:
    """Whether the pattern can match more than one text."""
    return any(sign in pattern for sign in "*?[")
