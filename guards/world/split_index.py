"""A split index: a small index that names a shared one and says which of its entries are gone or replaced."""

from __future__ import annotations

from _struct import Struct

from guards.world import index as index_file
from guards.world import paths
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget

U32 = Struct(">I")
U64 = Struct(">Q")


def bits(body: bytes, pos: int) -> tuple[set[int], int]:
    """An EWAH bitmap's set bits (gitformat-bitmap(5), appendix A) and the position behind it."""
    words = U32.unpack_from(body, pos + 4)[0]
    start = pos + 8
    found: set[int] = set()
    place = 0
    at = 0
    while at < words:
        marker = U64.unpack_from(body, start + at * 8)[0]
        at += 1
        running, literal = (marker >> 1) & 0xFFFFFFFF, marker >> 33
        if marker & 1:
            found.update(range(place * 64, (place + running) * 64))
        place += running
        for _ in range(literal):
            word = U64.unpack_from(body, start + at * 8)[0]
            found.update(place * 64 + bit for bit in range(64) if word >> bit & 1)
            at += 1
            place += 1
    return found, start + words * 8 + 4


def merge(index: index_file.Index, shared: str, budget: Budget) -> None:
    """Puts the shared entries into `index.entries`: deleted ones left out, replaced ones with their new data and old path."""
    content = paths.read(shared, index_file.LIMIT)
    if content is None:
        raise Unanswered(f"the shared index {shared} is missing")
    base = index_file.Index()
    base.width = index.width
    index_file.fill(base, content, shared, budget)
    body, pos = index.bitmaps
    deleted: set[int] = set()
    replaced: set[int] = set()
    if body:
        deleted, pos = bits(body, pos)
        replaced, _ = bits(body, pos)
    own = iter(index.entries)
    merged = []
    for place, entry in enumerate(base.entries):
        if place in replaced:
            new = next(own)
            merged.append((entry[0], *new[1:]))
        elif place not in deleted:
            merged.append(entry)
    merged.extend(own)
    merged.sort(key=lambda entry: (entry[0].encode("utf-8", "surrogateescape"), entry[7] & index_file.STAGE))
    index.entries = merged
