"""The compiled policy as the hot path loads it: an index that is read whole, and sections of which only those at hand are read.

The file is `policy.<cache tag>` in a directory that only its owner (this user or root) may write. Missing, foreign, of another version or
older than a source: `CompiledError`, whose message says what to run; nobody may take it for "no rule matched".

Layout: ten decimal digits with the head's length, the head (marshal: version, stamp, config, the tables' places), the tables, the sections
end to end. A table has a line for each name, with the place of what is filed under it; it is searched as it is, for decoding all of it would
cost more than the whole search for a request's rules.
"""

from __future__ import annotations

import marshal
import posix
import sys

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

VERSION = 3
DIGITS = 10
UNREAD = ("launching",)
"""Parts of the configuration that only the compiler's own readers ask for: no judged request pays for them."""
FIRST_READ = 131_072


class CompiledError(Exception):
    """The compiled policy cannot be used; `stale` when compiling again would mend it."""

    def __init__(self, message: str, *, stale: bool = False) -> None:
        super().__init__(message)
        self.stale = stale


class Rule(Record):
    """A compiled rule; alternatives are (tests, facts, options that matched)."""

    id: str
    action: str
    maybe: str
    summary: str
    why: str
    instead: tuple[str, ...]
    advice: str
    rewrite: str
    translate: str
    escape: bool
    severity: str
    final: bool
    alternatives: tuple[Any, ...]


SECTIONS = ("buckets", "grammars", "literals")


class _File:
    """An open file, closed when nobody holds it any more."""

    def __init__(self, path: str) -> None:
        try:
            self.descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        except OSError as error:
            raise CompiledError(
                f"no compiled policy at {path} ({error.strerror}); run: gatepost compile", stale=True
            ) from None

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            posix.close(self.descriptor)


class Section:
    """Marshalled values by name, read from the file when asked for. Behaves like a mapping as far as its readers need one."""

    def __init__(self, table: bytes, file: _File, body: int) -> None:
        self._table, self._file, self._body = table, file, body

    def get(self, name: str, default: Any = None) -> Any:
        """The bytes under a name."""
        if "\n" in name or "\t" in name:  # no name has them: they separate the table's lines and columns
            return default
        wanted = b"\n%b\t" % name.encode("utf-8", "surrogatepass")
        at = self._table.find(wanted)
        if at < 0:
            return default
        at += len(wanted)
        start, length = self._table[at : self._table.index(b"\n", at)].split()
        return posix.pread(self._file.descriptor, int(length), self._body + int(start))

    def __getitem__(self, name: str) -> Any:
        """The bytes under a name that is there."""
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def keys(self) -> Iterable[str]:
        """All names."""
        lines = self._table.decode("utf-8", "surrogatepass").split("\n")
        return {line.partition("\t")[0]: None for line in lines if line}.keys()


class Compiled:
    """Buckets of rules by key, program grammars by name, the configuration, the literals of each rule for the generated front."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._buckets = content["buckets"]
        self._decoded: dict[str, tuple[Rule, ...]] = {}
        self.grammar_bytes = content["grammars"]
        self.config: dict[str, Any] = content["config"]
        self._literals = content["literals"]
        self._grammars: Any = None
        self._aliases: dict[str, str] | None = None

    @classmethod
    def load(cls, directory: str, *, check: bool = True) -> Compiled:
        """The compiled policy in `directory`; raises CompiledError."""
        path = f"{directory}/{file_name()}"
        file = _File(path)
        _owned(path, posix.fstat(file.descriptor))
        _owned(directory, posix.stat(directory))
        head, tables, body = _head(path, file.descriptor)
        if check:
            _fresh(head["stamp"])
        sections = {name: Section(table, file, body) for name, table in tables.items()}
        return cls({**sections, "config": head["config"]})

    @property
    def grammars(self) -> Any:
        """The program grammars, decoded one by one when asked for."""
        if self._grammars is None:
            from policy.programs import Grammars

            self._grammars = Grammars(self.grammar_bytes)
        return self._grammars

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of programs, for rules that are compiled on the spot (examples)."""
        if self._aliases is None:
            from policy.rules.translate import aliases

            self._aliases = aliases(self.grammar_bytes)
        return self._aliases

    def bucket(self, key: str) -> tuple[Rule, ...]:
        """The rules filed under a key, () when there are none."""
        if key not in self._decoded:
            packed = self._buckets.get(key)
            rules = marshal.loads(packed) if packed is not None else ()  # noqa: S302  -- owner and mode were checked
            self._decoded[key] = tuple(tuple.__new__(Rule, rule) for rule in rules)
        return self._decoded[key]

    def only(self, buckets: Mapping[str, tuple[Any, ...]]) -> Compiled:
        """The same grammars and configuration with other rules."""
        return self._with({key: marshal.dumps(members) for key, members in buckets.items()})

    def _with(self, packed: Mapping[str, bytes]) -> Compiled:
        other = Compiled(
            {"buckets": packed, "grammars": self.grammar_bytes, "config": self.config, "literals": self._literals}
        )
        other._grammars = self.grammars
        other._aliases = self._aliases
        return other

    def plus(self, buckets: Mapping[str, tuple[Any, ...]]) -> Compiled:
        """The same with some rules more."""
        merged = {key: self._buckets[key] for key in self.keys()}
        for key, members in buckets.items():
            merged[key] = marshal.dumps((*map(tuple, self.bucket(key)), *members))
        return self._with(merged)

    def keys(self) -> tuple[str, ...]:
        """Every bucket's key."""
        return tuple(self._buckets.keys())

    @property
    def literals(self) -> dict[str, Any]:
        """For each rule the alternatives of words without which it cannot match (see policy.rules.literals)."""
        return {name: marshal.loads(self._literals[name]) for name in self._literals.keys()}  # noqa: S302, SIM118


def file_name() -> str:
    """Compiled files are kept apart by interpreter version."""
    return f"policy.{sys.implementation.cache_tag}"


def stamp(directory: str) -> dict[str, tuple[int, int] | None]:
    """The sources of the compiled policy with their times and sizes, None for what was not there; raises CompiledError."""
    path = f"{directory}/{file_name()}"
    file = _File(path)
    _owned(path, posix.fstat(file.descriptor))
    found: dict[str, tuple[int, int] | None] = _head(path, file.descriptor)[0]["stamp"]
    return found


def packed(content: Mapping[str, Any]) -> bytes:
    """The compiled file: `content` has version, stamp, config, and the sections (name to bytes). Names hold neither line ends nor tabs."""
    body: list[bytes] = []
    tables: list[bytes] = []
    at = 0
    for name in SECTIONS:
        table = [b""]
        for key, data in content[name].items():
            if "\n" in key or "\t" in key:
                raise ValueError(f"{key!r} cannot be a name in the compiled policy")
            table.append(b"%b\t%d %d" % (key.encode("utf-8", "surrogatepass"), at, len(data)))
            body.append(data)
            at += len(data)
        tables.append(b"\n".join([*table, b""]))
    config = {name: value for name, value in content["config"].items() if name not in UNREAD}
    sizes = [len(table) for table in tables]
    head = marshal.dumps({"version": content["version"], "stamp": content["stamp"], "config": config, "tables": sizes})
    return str(len(head)).zfill(DIGITS).encode() + head + b"".join((*tables, *body))


def _head(path: str, descriptor: int) -> tuple[dict[str, Any], dict[str, bytes], int]:
    """The head, the sections' tables, and where the sections begin."""
    try:
        data = posix.pread(descriptor, FIRST_READ, 0)
        at = int(data[:DIGITS]) + DIGITS
        if at > len(data):
            data = posix.pread(descriptor, at, 0)
        head = marshal.loads(data[DIGITS:at])  # noqa: S302  -- owner and mode were checked
        fits = head["version"] == VERSION
        body = at + sum(head["tables"]) if fits else 0
        if body > len(data):
            data = posix.pread(descriptor, body, 0)
    except (ValueError, EOFError, TypeError, KeyError) as error:
        raise CompiledError(f"{path} is damaged; run: gatepost compile", stale=True) from error
    if not fits:
        raise CompiledError(f"{path} is of another version; run: gatepost compile", stale=True)
    tables = {}
    for name, size in zip(SECTIONS, head["tables"], strict=True):
        tables[name] = data[at : at + size]
        at += size
    return head, tables, body


def _owned(path: str, stat: posix.stat_result) -> None:
    if stat.st_uid not in (0, posix.getuid()) or stat.st_mode & 0o022:
        raise CompiledError(
            f"{path} may be written by someone else; make it yours (chmod go-w), then run: gatepost compile"
        )


def _fresh(stamp: Mapping[str, tuple[int, int] | None]) -> None:
    """Raises CompiledError when a source is no longer what was compiled."""
    for path, seen in stamp.items():
        if stamp_of(path) != seen:
            raise CompiledError(f"{path} changed since the policy was compiled; run: gatepost compile", stale=True)


def stamp_of(path: str) -> tuple[int, int] | None:
    """Modification time in nanoseconds and size; None when there is nothing."""
    try:
        stat = posix.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
