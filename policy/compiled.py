"""The compiled policy as the hot path loads it: two levels of marshal, so that only the buckets of the programs at hand are decoded.

The file is `policy.<cache tag>` in a directory that only its owner (this user or root) may write. Missing, foreign, of another version or
older than a source: `CompiledError`, whose message says what to run; nobody may take it for "no rule matched".
"""

from __future__ import annotations

import marshal
import posix
import sys

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1


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


class Compiled:
    """Buckets of rules by key, program grammars by name, the configuration, the literals of each rule for the generated front."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._buckets: Mapping[str, bytes] = content["buckets"]
        self._decoded: dict[str, tuple[Rule, ...]] = {}
        self.grammar_bytes: Mapping[str, bytes] = content["grammars"]
        self.config: dict[str, Any] = content["config"]
        self._literals: bytes = content["literals"]
        self._grammars: Any = None

    @classmethod
    def load(cls, directory: str, *, check: bool = True) -> Compiled:
        """The compiled policy in `directory`; raises CompiledError."""
        path = f"{directory}/{file_name()}"
        try:
            descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        except OSError as error:
            raise CompiledError(
                f"no compiled policy at {path} ({error.strerror}); run: gatepost compile", stale=True
            ) from None
        try:
            stat = posix.fstat(descriptor)
            _owned(path, stat)
            _owned(directory, posix.stat(directory))
            data = posix.read(descriptor, stat.st_size)
        finally:
            posix.close(descriptor)
        try:
            content = marshal.loads(data)  # noqa: S302  -- owner and mode were checked
            fits = content["version"] == VERSION
        except (ValueError, EOFError, TypeError, KeyError) as error:
            raise CompiledError(f"{path} is damaged; run: gatepost compile", stale=True) from error
        if not fits:
            raise CompiledError(f"{path} is of another version; run: gatepost compile", stale=True)
        if check:
            _fresh(content["stamp"])
        return cls(content)

    @property
    def grammars(self) -> Any:
        """The program grammars, decoded one by one when asked for."""
        if self._grammars is None:
            from policy.programs import Grammars

            self._grammars = Grammars(self.grammar_bytes)
        return self._grammars

    def bucket(self, key: str) -> tuple[Rule, ...]:
        """The rules filed under a key, () when there are none."""
        if key not in self._decoded:
            packed = self._buckets.get(key)
            rules = marshal.loads(packed) if packed is not None else ()  # noqa: S302
            self._decoded[key] = tuple(tuple.__new__(Rule, rule) for rule in rules)
        return self._decoded[key]

    def only(self, buckets: Mapping[str, tuple[Any, ...]]) -> Compiled:
        """The same grammars and configuration with other rules."""
        packed = {key: marshal.dumps(members) for key, members in buckets.items()}
        other = Compiled(
            {"buckets": packed, "grammars": self.grammar_bytes, "config": self.config, "literals": self._literals}
        )
        other._grammars = self._grammars
        return other

    def keys(self) -> tuple[str, ...]:
        """Every bucket's key."""
        return tuple(self._buckets)

    @property
    def literals(self) -> dict[str, Any]:
        """For each rule the alternatives of words without which it cannot match (see policy.rules.literals)."""
        found: dict[str, Any] = marshal.loads(self._literals)  # noqa: S302
        return found


def file_name() -> str:
    """Compiled files are kept apart by interpreter version."""
    return f"policy.{sys.implementation.cache_tag}"


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
