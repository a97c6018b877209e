"""Shell-like patterns over whole words without `re`, which costs more at start-up than the rest of the hook."""

from __future__ import annotations


def matches(text: str, pattern: str) -> bool:
    """Whether `pattern` covers the whole text: `*` any run of characters (slashes too), `?` one, `[abc]` or `[!a-c]` one of a set."""
    if "?" not in pattern and "[" not in pattern:
        return _stars(text, pattern) if "*" in pattern else text == pattern
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


def expands_to(name: str, pattern: str) -> bool:
    """Whether a shell's pattern stands for a name in its folder: one that begins with a dot only where the pattern does too."""
    return matches(name, pattern) and (name[:1] != "." or pattern[:1] == ".")


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
    if pattern[at] == "[" and (end := pattern.find("]", at + 2 + (pattern[at + 1 : at + 2] in ("!", "^")))) > 0:
        return end + 1 - at if _in_set(character, pattern[at + 1 : end]) else 0
    return 1 if pattern[at] in ("?", character) else 0


def _in_set(character: str, members: str) -> bool:
    negated = members[0] in "!^"
    at = int(negated)
    while at < len(members):
        last = at + 2 if members[at + 1 : at + 2] == "-" and members[at + 2 :] else at
        if members[at] <= character <= members[last]:
            return not negated
        at = last + 1
    return negated


def has_magic(pattern: str) -> bool:
    """Whether the pattern can match more than one text."""
    return any(sign in pattern for sign in "*?[")


class Sieve:
    """Many patterns at once: whether any of them covers a text. Patterns of one plain piece cost one look for all of them together."""

    __slots__ = ("exact", "heads", "pieces", "rest", "tails")

    def __init__(self, patterns: tuple[str, ...]) -> None:
        exact, heads, tails, pieces, rest = set(), [], [], [], []
        for pattern in patterns:
            plain = pattern.strip("*")
            if has_magic(plain) or "**" in pattern:
                rest.append((pattern, *_ends(pattern)))
            elif plain == pattern:
                exact.add(plain)
            elif pattern[0] == pattern[-1] == "*":
                pieces.append(plain)
            elif pattern[0] == "*":
                tails.append(plain)
            else:
                heads.append(plain)
        self.exact, self.heads, self.tails, self.pieces, self.rest = exact, tuple(heads), tuple(tails), pieces, rest

    def takes(self, text: str) -> bool:
        """Whether one of the patterns covers the whole text."""
        return (
            text in self.exact
            or text.endswith(self.tails)
            or text.startswith(self.heads)
            or (bool(self.pieces) and any(piece in text for piece in self.pieces))
            or (bool(self.rest) and self._by_rest(text))
        )

    def _by_rest(self, text: str) -> bool:
        for pattern, first, last in self.rest:
            if text.startswith(first) and text.endswith(last) and matches(text, pattern):
                return True
        return False


def _ends(pattern: str) -> tuple[str, str]:
    """The plain text that every match begins with and ends with."""
    first, last = pattern, pattern
    for sign in "*?[":
        first = first.partition(sign)[0]
    for sign in "*?]":
        last = last.rpartition(sign)[2]
    return first, last


_sieves: dict[tuple[tuple[str, ...], str | None], Sieve] = {}


def any_matches(text: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns covers the text. What is made of the patterns is kept, since every command asks for the same ones."""
    sieve = _sieves.get((patterns, None))
    if sieve is None:
        sieve = _sieves[patterns, None] = Sieve(patterns)
    return sieve.takes(text)


def any_of(text: str, patterns: tuple[str, ...], home: str = "") -> bool:
    """Whether one of the patterns covers the text; `~` at the beginning of a pattern stands for `home`."""
    key = (patterns, home)
    sieve = _sieves.get(key)
    if sieve is None:
        at_home = tuple(home + pattern[1:] if pattern.startswith("~") else pattern for pattern in patterns)
        sieve = _sieves[key] = Sieve(at_home)
    return sieve.takes(text)
