"""A small git repository with one file that was edited since the only commit, written without git: what a trial hook looks into."""

from __future__ import annotations

import hashlib
import os
import struct
import zlib

WHO = b"trial <trial@example.org> 0 +0000"


def repository(folder: str) -> None:
    """Make it in `folder`, which must not exist."""
    for name in ("objects", "refs/heads"):
        os.makedirs(f"{folder}/.git/{name}")
    blob = _object(folder, b"blob", b"one\n")
    tree = _object(folder, b"tree", b"100644 file\0" + blob)
    parts = b"tree %s\nauthor %s\ncommitter %s\n\nfirst\n" % (tree.hex().encode(), WHO, WHO)
    commit = _object(folder, b"commit", parts)
    _put(f"{folder}/.git/HEAD", b"ref: refs/heads/main\n")
    _put(f"{folder}/.git/refs/heads/main", commit.hex().encode() + b"\n")
    _put(f"{folder}/.git/config", b"[core]\n\tbare = false\n")
    entry = struct.pack(">10L20sH", *[0] * 6, 0o100644, 0, 0, 4, blob, 4) + b"file".ljust(10, b"\0")
    cached = b"\0001 0\n" + tree
    index = struct.pack(">4sLL", b"DIRC", 2, 1) + entry + struct.pack(">4sL", b"TREE", len(cached)) + cached
    _put(f"{folder}/.git/index", index + hashlib.sha1(index, usedforsecurity=False).digest())
    _put(f"{folder}/file", b"two\n")


def _object(folder: str, kind: bytes, content: bytes) -> bytes:
    """Store an object, and its name."""
    raw = kind + b" %d\0" % len(content) + content
    name = hashlib.sha1(raw, usedforsecurity=False).digest()
    where = f"{folder}/.git/objects/{name.hex()[:2]}"
    os.makedirs(where, exist_ok=True)
    _put(f"{where}/{name.hex()[2:]}", zlib.compress(raw))
    return name


def _put(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
