"""bashlex's LALR tables, without the cost of building them (bashlex builds them at every import, about 90 ms).

Only the grammar of bashlex is used: productions, actions and gotos. They are kept in a marshal file beside the compiled policy,
keyed by the interpreter, bashlex's version and the content of the two files that the grammar comes from. A file that is missing,
stale or not ours alone is ignored, and the tables are built in memory from bashlex itself: slower, and the same.
"""

from __future__ import annotations

import marshal
import posix
import sys
from _imp import source_hash

from policy import shell
from policy.shell.budget import Unparsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Stamp: TypeAlias = tuple[str, int, int, bytes]
    Tables: TypeAlias = tuple[list[tuple[str, int, str]], list[dict[str, int]], list[dict[str, int]], dict[int, int]]

FORMAT = 1
_HASH_KEY = 0x6761746570
_SOURCES = ("parser.py", "tokenizer.py")

_from: str | None = None
_tables: Tables | None = None


def build(path: str) -> None:
    """Write the tables of the installed bashlex to `path`, readable by all and writable by the owner, in one rename."""
    tables, stamps = _from_bashlex()
    data = marshal.dumps((FORMAT, sys.implementation.cache_tag, stamps, tables))
    temporary = f"{path}.{posix.getpid()}.new"
    descriptor = posix.open(temporary, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o644)
    try:
        written = 0
        while written < len(data):
            written += posix.write(descriptor, data[written:])
        posix.fchmod(descriptor, 0o644)
        posix.fsync(descriptor)
    finally:
        posix.close(descriptor)
    posix.rename(temporary, path)


def load() -> Tables:
    """(productions, action, goto, defaulted): from the file that the shell was told to use when that is fresh, else from bashlex; once a file."""
    global _from, _tables  # noqa: PLW0603
    path = shell.tables_file  # kept there so that a plain text need not import this module
    if _tables is None or path != _from:
        _from, _tables = path, _from_file(path) if path is not None else None
        if _tables is None:
            try:
                _tables = _from_bashlex()[0]
            except ImportError as error:
                raise Unparsed(f"the shell grammar is missing: {error}") from error
    return _tables


def _from_file(path: str) -> Tables | None:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = posix.fstat(descriptor)
        if status.st_uid not in (0, posix.geteuid()) or status.st_mode & 0o022:
            return None
        data = _read(descriptor, status.st_size)
    except OSError:
        return None
    finally:
        posix.close(descriptor)
    try:
        form, tag, stamps, tables = marshal.loads(data)  # noqa: S302  # owner and mode were checked
    except (ValueError, EOFError, TypeError):
        return None
    if form != FORMAT or tag != sys.implementation.cache_tag or not all(_holds(stamp) for stamp in stamps):
        return None
    return tables  # type: ignore[no-any-return]


def _read(descriptor: int, size: int) -> bytes:
    chunks = []
    while size > 0:
        chunk = posix.read(descriptor, size)
        if not chunk:
            break
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


def _holds(stamp: Stamp) -> bool:
    """Whether a source file is as it was; a new date alone does not count."""
    path, modified, size, digest = stamp
    try:
        status = posix.stat(path)
        if status.st_size != size:
            return False
        return status.st_mtime_ns == modified or _digest(path) == digest
    except OSError:
        return False


def _digest(path: str) -> bytes:
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return source_hash(_HASH_KEY, _read(descriptor, posix.fstat(descriptor).st_size))
    finally:
        posix.close(descriptor)


def _from_bashlex() -> tuple[Tables, list[Stamp]]:
    from bashlex import parser  # slow, and only needed without a fresh file

    automaton = parser.yaccparser
    folder = parser.__file__.rpartition("/")[0]
    stamps = []
    for name in _SOURCES:
        path = f"{folder}/{name}"
        status = posix.stat(path)
        stamps.append((path, status.st_mtime_ns, status.st_size, _digest(path)))
    productions = [(str(item.name), int(item.len), str(item.func)) for item in automaton.productions]
    action = [dict(automaton.action[state]) for state in range(len(automaton.action))]
    goto = [dict(automaton.goto.get(state, {})) for state in range(len(action))]
    return (productions, action, goto, dict(automaton.defaulted_states)), stamps
