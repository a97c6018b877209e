"""The configuration file `config.toml` of the managed and the user layer: profile, settings, and changes to rules by id or pack."""

# ruff: noqa: RUF012  -- pydantic gives every instance a copy of a default
from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, field_validator

from policy.rules.lines import line_of
from policy.rules.schema import Action, Strict, Words, read

OURS = ("gatepost", "gatepost-hook", "with-limits")
LOOSEST_FIRST = ("allow", "pass", "advice", "rewrite", "ask", "deny")
"""Decisions that a layer may give a rule. An allow is the loosest: it speaks for the command where a pass leaves it to the host."""


Seconds = Annotated[int | float, Field(ge=0)]


def absolute(words: list[str]) -> list[str]:
    """An argv whose program is named by its whole path, or none. Raises ValueError."""
    if words and not words[0].startswith("/"):
        raise ValueError(f"{words[0]!r} must be an absolute path: what PATH says is not the person's alone")
    return words


class Override(Strict):
    """A change to one rule or to a whole pack."""

    enabled: bool | None = None
    decision: Action | None = None
    parameters: dict[str, Any] = {}
    final: bool = False


class Settings(Strict):
    """What facts need to know about this machine and its person.

    protected_branches  globs of branches that nobody force-pushes to or deletes
    temporary           folders whose content is nobody's loss, beside the usual ones
    outside_is_fine     globs of paths outside a repository that may be deleted
    credentials         globs of files that hold keys, beside the well-known ones
    attestation         a command of one's own, asked with a script's path and SHA-256 whether this version was looked at (exit status 0)
    """

    protected_branches: Words = ["main", "master", "trunk", "develop", "release/*", "production"]
    temporary: Words = []
    outside_is_fine: Words = []
    credentials: Words = []
    attestation: list[str] = []

    @field_validator("attestation")
    @classmethod
    def _absolute(cls, words: list[str]) -> list[str]:
        return absolute(words)


class Host(Strict):
    """What is asked of a remote host before its first use; the times are seconds (docs/shims.md).

    notify  an argv that gets the question as its last word: exit status 0 is yes, 1 is no
    """

    probe: bool = False
    timeout: Seconds = 5
    remember: Seconds = 300
    declined: Seconds = 3600
    notify: list[str] = []

    @field_validator("notify")
    @classmethod
    def _absolute(cls, words: list[str]) -> list[str]:
        return absolute(words)


class Config(Strict):
    """One layer's file, or all layers merged. `shims` are programs that get a shim beside those that always do."""

    profile: Literal["standard", "strict", "observe"] = "standard"
    settings: Settings = Settings()
    rules: dict[str, Override] = {}
    packs: dict[str, Override] = {}
    final: Words = []
    limits: dict[str, Any] = {}
    hosts: dict[str, Host] = {}
    shims: Words = []
    _source: tuple[str, str] = PrivateAttr(("config.toml", ""))

    @field_validator("shims")
    @classmethod
    def _names(cls, names: list[str]) -> list[str]:
        odd = [name for name in names if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._+-]*", name) or name in OURS]
        if odd:
            raise ValueError(f"{odd[0]!r} is not the name of a program that can have a shim")
        return names

    @classmethod
    def read(cls, path: str) -> Config:
        """The file at `path`; raises FileNotFoundError, OSError or RuleError."""
        with open(path, encoding="utf-8") as file:
            return cls.parse(file.read(), path)

    @classmethod
    def parse(cls, text: str, path: str) -> Config:
        """The text of a configuration file; `path` is for messages. Raises RuleError."""
        return read(text, path, cls)

    def come_from(self, path: str, text: str) -> None:
        """Remember the file, for messages."""
        self._source = (path, text)

    def at(self, *place: str) -> str:
        """The file and the line where a key stands: "PATH:LINE"."""
        path, text = self._source
        line = line_of(text, place)
        return path if line is None else f"{path}:{line}"

    def overrides(self, rule: str) -> list[Override]:
        """What this file says about a rule: first for its pack, then for itself."""
        pack = rule.partition("/")[0]
        return [table[name] for table, name in ((self.packs, pack), (self.rules, rule)) if name in table]

    def finishes(self, rule: str) -> bool:
        """Whether this file makes the rule final for the layers below it."""
        pack = rule.partition("/")[0]
        return any(override.final for override in self.overrides(rule)) or bool(
            {rule, pack, f"{pack}/*"} & {*self.final}
        )

    def over(self, upper: Config, layer: str, origins: dict[str, str], problems: list[str]) -> Config:
        """This configuration with what `upper` sets; `origins` learns the layer of each key."""
        changes: dict[str, Any] = {}
        for key in upper.model_fields_set:
            if key in self.final and key not in ("rules", "packs"):
                problems.append(f"{layer}: {key} is final and may not be changed; left out")
                continue
            mine, theirs = getattr(self, key), getattr(upper, key)
            changes[key] = _merged(key, mine, theirs, layer, origins)
        return self.model_copy(update=changes)


def _merged(key: str, mine: Any, theirs: Any, layer: str, origins: dict[str, str]) -> Any:
    if isinstance(theirs, Settings):
        origins.update({f"{key}.{name}": layer for name in theirs.model_fields_set})
        return mine.model_copy(update={name: getattr(theirs, name) for name in theirs.model_fields_set})
    if isinstance(theirs, dict):
        origins.update({f"{key}.{name}": layer for name in theirs})
        return {**mine, **theirs}
    origins[key] = layer
    return [*mine, *theirs] if isinstance(theirs, list) else theirs
