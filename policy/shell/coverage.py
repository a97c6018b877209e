"""The reader's own check that nothing was passed over: bytes between tokens, words that no command took, substitutions not entered."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.shell.words import Scanner


def check_spans(scanner: Scanner, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    """Every character of [start, end) belongs to one of `spans` (tokens, comments, here-documents) or is blank."""
    text = scanner.text
    at = start
    for first, last in sorted(spans):
        if first < at:
            raise scanner.fail("two readings of the same text", first)
        if first > at and _meant(text[at:first]):
            raise scanner.fail("text that no token covers", at)
        at = last
    if _meant(text[at:end]):
        raise scanner.fail("text that no token covers", at)


def _meant(gap: str) -> bool:
    return gap.replace("\\\n", "").strip(" \t") != ""
