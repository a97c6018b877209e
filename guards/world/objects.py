"""git objects, loose and packed, deltas resolved. Nothing is written and no program started; alternates are followed."""

from __future__ import annotations

import posix
from zlib import decompressobj
from zlib import error as ZlibError  # noqa: N812

from guards.world import paths
from guards.world.index import U32, StructError, offset
from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.budget import Budget

LIMIT = 32 << 20
KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
OFFSET_DELTA, NAME_DELTA = 6, 7
LONG_OFFSETS = 0x80000000
CHAIN = 5000


class Pack:
    """One pack by its index file (version 2). The descriptor of the pack stays open as long as the object lives."""

    __slots__ = ("data", "descriptor", "fanout", "path", "width")

    def __init__(self, path: str, width: int) -> None:
        self.path = path
        self.width = width
        self.descriptor = -1
        data = paths.read(path, 1 << 30)
        if data is None or data[:8] != b"\xfftOc\0\0\0\2":
            raise Unanswered(f"the pack index {path} has an unknown format")
        self.data = data
        self.fanout = 8 + 256 * 4

    def span(self, first: int) -> tuple[int, int]:
        low = U32.unpack_from(self.data, 8 + 4 * (first - 1))[0] if first else 0
        return low, U32.unpack_from(self.data, 8 + 4 * first)[0]

    def place(self, oid: bytes) -> int | None:
        """Where the object begins in the pack."""
        low, high = self.span(oid[0])
        data, start, width = self.data, self.fanout, self.width
        while low < high:
            middle = (low + high) // 2
            found = data[start + middle * width : start + (middle + 1) * width]
            if found == oid:
                return self.position(middle)
            if found < oid:
                low = middle + 1
            else:
                high = middle
        return None

    def position(self, number: int) -> int:
        total = U32.unpack_from(self.data, 8 + 4 * 255)[0]
        start = self.fanout + total * (self.width + 4)
        found = int(U32.unpack_from(self.data, start + 4 * number)[0])
        if found & LONG_OFFSETS:
            at = start + total * 4 + 8 * (found & ~LONG_OFFSETS)
            found = int.from_bytes(self.data[at : at + 8], "big")
        return found

    def starting(self, prefix: str) -> list[str]:
        """Object names that begin with `prefix` (at least two hexadecimal digits)."""
        low, high = self.span(int(prefix[:2], 16))
        names = (
            self.data[self.fanout + at * self.width : self.fanout + (at + 1) * self.width].hex()
            for at in range(low, high)
        )
        return [name for name in names if name.startswith(prefix)]

    def read(self, at: int, size: int) -> bytes:
        if self.descriptor < 0:
            self.descriptor = posix.open(self.path[:-4] + ".pack", posix.O_RDONLY | posix.O_CLOEXEC)
        return posix.pread(self.descriptor, size, at)

    def __del__(self) -> None:
        if self.descriptor >= 0:
            posix.close(self.descriptor)


class Objects:
    """The object store of one repository, `folder` being its `objects` directory; `width` the bytes of an object name."""

    def __init__(self, folder: str, width: int, budget: Budget) -> None:
        self.width = width
        self.budget = budget
        self.cache: dict[bytes, tuple[str, bytes]] = {}
        self.folders = [folder]
        self.opened: list[Pack] | None = None
        for here in self.folders:
            listed = paths.read(f"{here}/info/alternates", 65_536)
            for line in paths.text(listed or b"").splitlines():
                other = paths.join(here, line)
                if line and not line.startswith("#") and other not in self.folders and len(self.folders) < 10:
                    self.folders.append(other)

    @property
    def packs(self) -> list[Pack]:
        if self.opened is None:
            self.opened = []
            for folder in self.folders:
                for name in listed(f"{folder}/pack"):
                    if name.endswith(".idx"):
                        self.budget.spend(20, "git packs")
                        self.opened.append(Pack(f"{folder}/pack/{name}", self.width))
        return self.opened

    def get(self, oid: bytes) -> tuple[str, bytes]:
        """(kind, content). Raises Unanswered when the object is missing or damaged."""
        found = self.cache.get(oid)
        if found is None:
            self.budget.spend(2, "git objects")
            try:
                found = self.loose(oid) or self.packed(oid)
            except (ZlibError, StructError, OSError, IndexError, ValueError) as error:
                raise Unanswered(f"the object {oid.hex()} is damaged") from error
            if found is None:
                raise Unanswered(f"the object {oid.hex()} is missing")
            self.budget.spend(len(found[1]) >> 14, "git objects")
            self.cache[oid] = found
        return found

    def has(self, oid: bytes) -> bool:
        self.budget.spend(1, "git objects")
        name = oid.hex()
        if any(paths.exists(f"{folder}/{name[:2]}/{name[2:]}") for folder in self.folders):
            return True
        return any(pack.place(oid) is not None for pack in self.packs)

    def loose(self, oid: bytes) -> tuple[str, bytes] | None:
        name = oid.hex()
        for folder in self.folders:
            raw = paths.read(f"{folder}/{name[:2]}/{name[2:]}", LIMIT)
            if raw is not None:
                head, _, content = bounded(raw).partition(b"\0")
                return head.split(b" ")[0].decode("ascii", "replace"), content
        return None

    def packed(self, oid: bytes) -> tuple[str, bytes] | None:
        for pack in self.packs:
            at = pack.place(oid)
            if at is not None:
                return self.entry(pack, at)
        return None

    def entry(self, pack: Pack, at: int) -> tuple[str, bytes]:
        deltas: list[bytes] = []
        while True:
            self.budget.spend(1, "git objects")
            head = pack.read(at, 4096)
            kind, size, pos = entry_header(head)
            if kind in KINDS:
                name, content = KINDS[kind], inflate(pack, at + pos, size)
                break
            if kind == OFFSET_DELTA:
                back, pos = offset(head, pos)
                deltas.append(inflate(pack, at + pos, size))
                at -= back
            elif kind == NAME_DELTA:
                base = head[pos : pos + self.width]
                deltas.append(inflate(pack, at + pos + self.width, size))
                name, content = self.get(base)
                break
            else:
                raise ValueError(kind)
            if len(deltas) > CHAIN:
                raise Unanswered("a chain of deltas in a git pack is too long")
        for delta in reversed(deltas):
            content = patched(content, delta)
        return name, content

    def starting(self, prefix: str) -> set[str]:
        """The names of all objects that begin with `prefix`."""
        found: set[str] = set()
        for folder in self.folders:
            names = listed(f"{folder}/{prefix[:2]}")
            self.budget.spend(len(names) // 10, "git objects")
            found.update(prefix[:2] + name for name in names if name.startswith(prefix[2:]))
        for pack in self.packs:
            found.update(pack.starting(prefix))
        return found


def listed(folder: str) -> list[str]:
    try:
        return posix.listdir(folder)
    except OSError:
        return []


def bounded(raw: bytes) -> bytes:
    inflater = decompressobj()
    content = inflater.decompress(raw, LIMIT)
    if inflater.unconsumed_tail:
        raise Unanswered("a git object is too large")
    return content


def entry_header(head: bytes) -> tuple[int, int, int]:
    """(kind, inflated size, header's length) of a pack entry."""
    byte = head[0]
    kind, size, shift, pos = byte >> 4 & 7, byte & 15, 4, 1
    while byte & 0x80:
        byte = head[pos]
        size |= (byte & 0x7F) << shift
        shift += 7
        pos += 1
    return kind, size, pos


def inflate(pack: Pack, at: int, size: int) -> bytes:
    if size > LIMIT:
        raise Unanswered("a git object is too large")
    chunk = max(512, size + (size >> 3) + 64)
    inflater = decompressobj()
    out = inflater.decompress(pack.read(at, chunk))
    while not inflater.eof:
        at += chunk
        more = pack.read(at, chunk)
        if not more:
            raise ValueError("cut short")
        out += inflater.decompress(more)
    return out


def number(delta: bytes, pos: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte = delta[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, pos


def patched(base: bytes, delta: bytes) -> bytes:
    """The object that a delta makes of its base (gitformat-pack(5), "Deltified representation")."""
    _, pos = number(delta, 0)
    size, pos = number(delta, pos)
    if size > LIMIT:
        raise Unanswered("a git object is too large")
    parts: list[bytes] = []
    while pos < len(delta):
        code = delta[pos]
        pos += 1
        if not code & 0x80:
            parts.append(delta[pos : pos + code])
            pos += code
            continue
        start = length = 0
        for bit in range(7):
            if code >> bit & 1:
                if bit < 4:
                    start |= delta[pos] << 8 * bit
                else:
                    length |= delta[pos] << 8 * (bit - 4)
                pos += 1
        parts.append(base[start : start + (length or 0x10000)])
    return b"".join(parts)
