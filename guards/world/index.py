"""git's index, read as gitformat-index(5) describes it: versions 2 to 4, split, sparse, with or without untracked cache.

An entry is a plain tuple, made twenty thousand times in a large repository: path (relative to the top, `/` at the end of a sparse
directory), mode, object id, size, mtime in seconds and the rest in nanoseconds, ctime, flags (as in the file, extended ones << 16).
"""

from __future__ import annotations

import _struct
import posix
from _struct import Struct

from guards.world import paths
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget

    Entry = tuple[str, int, bytes, int, int, int, int, int]
    Node = tuple[int, bytes, dict[str, "Node"]]

STAGE = 0x3000
ASSUME_UNCHANGED = 0x8000
EXTENDED = 0x4000
INTENT_TO_ADD = 0x2000 << 16
SKIP_WORKTREE = 0x4000 << 16
LIMIT = 64 << 20

SHA1 = Struct(">IIIIIIIIII20sH")
SHA256 = Struct(">IIIIIIIIII32sH")
U16 = Struct(">H")
StructError: type[Exception] = _struct.error  # type: ignore[attr-defined]  # the stub leaves it out
U32 = Struct(">I")


class Index:
    """`entries` in git's order; `tree` the cache tree or None; `stamp` seconds and nanoseconds when the file was written."""

    __slots__ = ("base", "bitmaps", "entries", "stamp", "tree", "width")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.tree: Node | None = None
        self.stamp = (0, 0)
        self.width = 20
        self.base = b""
        self.bitmaps: tuple[bytes, int] = (b"", 0)


def load(path: str, width: int, budget: Budget) -> Index:
    """The index at `path`, empty when there is none. Raises Unanswered when it cannot be read as this format."""
    index = Index()
    index.width = width
    try:
        found = posix.stat(path)
    except OSError:
        return index
    index.stamp = (found.st_mtime_ns // 1_000_000_000, found.st_mtime_ns % 1_000_000_000)
    content = paths.read(path, LIMIT)
    if content is None:
        raise Unanswered(f"the index {path} is unreadable or too large")
    if content:
        fill(index, content, path, budget)
    return index


def fill(index: Index, content: bytes, path: str, budget: Budget) -> None:
    try:
        version = U32.unpack_from(content, 4)[0]
        total = U32.unpack_from(content, 8)[0]
        if content[:4] != b"DIRC" or version not in (2, 3, 4):
            raise Unanswered(f"the index {path} has an unknown format")
        budget.spend(total // 2, "the index")
        pos = (compressed if version == 4 else plain)(index, content, total)
        extensions(index, content, pos)
        if index.base.strip(b"\0"):
            from guards.world import split_index

            split_index.merge(index, f"{paths.parent(path)}/sharedindex.{index.base.hex()}", budget)
    except (IndexError, ValueError, KeyError, StructError) as error:
        raise Unanswered(f"the index {path} is damaged") from error


def plain(index: Index, content: bytes, total: int) -> int:
    """Versions 2 and 3: whole paths, entries padded with NULs to a multiple of eight. The position behind them is returned."""
    record = SHA1 if index.width == 20 else SHA256
    unpack, fixed = record.unpack_from, record.size
    add = index.entries.append
    pos = 12
    for _ in range(total):
        ctime, _, mtime, mtime_ns, _, _, mode, _, _, size, oid, flags = unpack(content, pos)
        start = pos + fixed
        if flags & EXTENDED:
            flags |= U16.unpack_from(content, start)[0] << 16
            start += 2
        length = flags & 0xFFF
        end = start + length if length < 0xFFF else content.index(0, start)
        add((content[start:end].decode("utf-8", "surrogateescape"), mode, oid, size, mtime, mtime_ns, ctime, flags))
        pos += (end - pos + 8) & ~7
    return pos


def compressed(index: Index, content: bytes, total: int) -> int:
    """Version 4: each path drops some bytes of the one before and adds its own; no padding."""
    record = SHA1 if index.width == 20 else SHA256
    pos = 12
    path = b""
    for _ in range(total):
        ctime, _, mtime, mtime_ns, _, _, mode, _, _, size, oid, flags = record.unpack_from(content, pos)
        pos += record.size
        if flags & EXTENDED:
            flags |= U16.unpack_from(content, pos)[0] << 16
            pos += 2
        dropped, pos = offset(content, pos)
        end = content.index(0, pos)
        path = path[: len(path) - dropped] + content[pos:end]
        pos = end + 1
        index.entries.append((paths.text(path), mode, oid, size, mtime, mtime_ns, ctime, flags))
    return pos


def offset(content: bytes, pos: int) -> tuple[int, int]:
    """The variable width number of packs' offset deltas and of index version 4."""
    byte = content[pos]
    number = byte & 0x7F
    while byte & 0x80:
        pos += 1
        byte = content[pos]
        number = ((number + 1) << 7) | (byte & 0x7F)
    return number, pos + 1


def extensions(index: Index, content: bytes, pos: int) -> None:
    end = len(content) - index.width
    while pos + 8 <= end:
        name, size = content[pos : pos + 4], U32.unpack_from(content, pos + 4)[0]
        body = content[pos + 8 : pos + 8 + size]
        pos += 8 + size
        if name == b"TREE" and body:
            index.tree = node(body, 0, index.width)[1]
        elif name == b"link":
            index.base, index.bitmaps = body[: index.width], (body[index.width :], 0)
        elif name[:1].islower() and name != b"sdir":
            raise Unanswered("the index needs an extension that is not known")


def node(body: bytes, pos: int, width: int) -> tuple[str, Node, int]:
    """One directory of the cache tree: its name, (entries or -1, tree id, children), and the position behind it."""
    end = body.index(0, pos)
    name = paths.text(body[pos:end])
    line = body.index(b"\n", end)
    count, _, children = body[end + 1 : line].partition(b" ")
    pos = line + 1
    oid = b""
    if int(count) >= 0:
        oid, pos = body[pos : pos + width], pos + width
    below: dict[str, Node] = {}
    for _ in range(int(children)):
        child, found, pos = node(body, pos, width)
        below[child] = found
    return name, (int(count), oid, below), pos
