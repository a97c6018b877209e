"""What can be said of a text that does not parse: which words could stand in it once quotes are gone.

Soundness: without expansions, a word that the shell makes is a slice of the text minus quotes, backslashes and line continuations. When
all of those are deleted from the whole text, the word is contiguous in what is left, and stands between characters that end words.
Strings in $' ' are decoded too; every other expansion only adds letters that the text does not hold, which no text search can see.
"""

from __future__ import annotations

from policy.shell.quoting import ansi_c

_ENDS = "\n\t ;&|()<>{}`$=,:!@[]"
_SPLIT = {ord(sign): " " for sign in _ENDS}
_QUOTES = {ord(sign): None for sign in "'\"\\"}
_MOST = 131_072


def candidates(text: str) -> frozenset[str]:
    """Words, and the last parts of paths, that may stand as commands or arguments; from the first 131 072 characters, which cost a few milliseconds."""
    found: set[str] = set()
    for reading in _readings(text[:_MOST]):
        squeezed = reading.replace("\\\n", "").translate(_QUOTES)
        for word in squeezed.translate(_SPLIT).split():
            found.add(word)
            if "/" in word:
                found.update(word.split("/"))
        found.update(squeezed.split())
    found.discard("")
    return frozenset(found)


def _readings(text: str) -> list[str]:
    """The text as it stands, and with its $' ' strings decoded."""
    if "$'" not in text:
        return [text]
    parts = text.split("$'")
    decoded = [parts[0]]
    for part in parts[1:]:
        end = _closing(part)
        decoded.append(ansi_c(part[:end]) + part[end + 1 :])
    return [text, "".join(decoded)]


def _closing(part: str) -> int:
    """Where the string that begins `part` ends: at the first single quote that no backslash escapes."""
    i = 0
    while i < len(part) and part[i] != "'":
        i += 2 if part[i] == "\\" else 1
    return min(i, len(part))
