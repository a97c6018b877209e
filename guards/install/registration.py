"""The three ways in which a host learns of our hook: an entry in a JSON list, a block in a TOML file, a file of our own."""

from __future__ import annotations

import json
import os
import shlex
import tomllib
from typing import TYPE_CHECKING, Any, Protocol

from guards.install import json_text
from guards.install.change import Change, Conflict, read
from guards.install.restore import restored
from policy.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.layout import Layout

PROGRAM = "gatepost-hook"
"""The name by which an entry is known to be ours, whatever folder it stands in."""
TIMEOUT = 30
"""Seconds that a host waits for the hook. Most hosts run the command when it is over, so it must hold on a busy machine too."""
BEGIN = "# >>> {name}: this block is written by `gatepost install` and removed by `gatepost uninstall` >>>"
END = "# <<< {name} <<<"


class Registration(Protocol):
    """Where a host is told of the hook."""

    @property
    def path(self) -> str:
        """The file."""

    def install(self) -> Change:
        """The change that registers the hook once, whatever stood there of ours."""

    def uninstall(self) -> Change:
        """The change that removes what is ours and nothing else."""

    def present(self) -> bool:
        """Whether exactly what `install` would write stands there."""


class JsonEntry(Record):
    """An entry of ours at the end of the list at `keys`. `check` raises Conflict for content that the host would not accept.

    `comments`: whether the host reads a file with comments.
    """

    path: str
    keys: tuple[str, ...]
    entry: Any
    start: str = "{}\n"
    check: Callable[[Any], None] | None = None
    comments: bool = False

    def install(self) -> Change:
        before = read(self.path)
        after = self._with(before)
        return Change(self.path, before, before if self.present() else after)

    def uninstall(self) -> Change:
        before = read(self.path)
        if before is None or PROGRAM not in before:
            return Change(self.path, before, before)
        return restored(self.path, before, self._without(before), self._with)

    def present(self) -> bool:
        text = read(self.path)
        if text is None or PROGRAM not in text:
            return False
        return [entry for entry in self._entries(text) if is_ours(entry)] == [self.entry]

    def _entries(self, text: str) -> list[Any]:
        found: Any = self._loaded(text)
        for key in self.keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found if isinstance(found, list) else []

    def _with(self, text: str | None) -> str:
        """The text with our entry, once."""
        text = text if text is not None and text.strip() else self.start
        self._checked(text)
        try:
            after = json_text.append(self._without(text), self.keys, self.entry)
        except json_text.NotPlain as error:
            raise self._conflict(error) from None
        self._checked(after)
        return after

    def _without(self, text: str) -> str:
        """The text without our entries; of an entry that starts other programs too, only our part goes."""
        for at, entry in enumerate(self._entries(text)):
            handlers = entry.get("hooks") if isinstance(entry, dict) else None
            if isinstance(handlers, list) and not all(map(is_ours, handlers)):
                text = json_text.remove(text, (*self.keys, at, "hooks"), is_ours)
        return json_text.remove(text, self.keys, is_ours)

    def _loaded(self, text: str) -> Any:
        try:
            return json_text.load(text, comments=self.comments)
        except json_text.NotPlain as error:
            by_hand = f"or add by hand to the list `{'.'.join(self.keys)}`: {json.dumps(self.entry)}"
            raise Conflict(f"{self._conflict(error)}, {by_hand}") from None

    def _conflict(self, error: object) -> Conflict:
        return Conflict(f"{self.path}: {error}; nothing was changed. Mend it and run this again")

    def _checked(self, text: str) -> None:
        value = self._loaded(text)
        if not isinstance(value, dict):
            raise self._conflict("it is no JSON object")
        if self.check:
            try:
                self.check(value)
            except Conflict as error:
                raise self._conflict(error) from None


class TomlBlock(Record):
    """A block of ours between two marker lines that carry its name, at the end of a TOML file. `follows` are blocks that fall with it."""

    path: str
    block: str
    name: str = "gatepost"
    follows: tuple[str, ...] = ()

    def install(self) -> Change:
        before = read(self.path)
        return Change(self.path, before, before if self.present() else self._with(before))

    def uninstall(self) -> Change:
        before = read(self.path)
        rest = None if before is None else self._without(before)
        if before is None or rest is None or rest == before:
            return Change(self.path, before, before)
        return restored(self.path, before, rest, self._with)

    def present(self) -> bool:
        return self._marked() in (read(self.path) or "")

    def _with(self, text: str | None) -> str:
        """The text with our block, once, at its end."""
        rest = self._without(text or "")
        self._parsed(rest)
        gap = "" if not rest else "\n" if rest.endswith("\n") else "\n\n"
        after = f"{rest}{gap}{self._marked()}"
        self._parsed(after)
        return after

    def _marked(self) -> str:
        return f"{BEGIN.format(name=self.name)}\n{self.block}{END.format(name=self.name)}\n"

    def _without(self, text: str) -> str:
        for name in (*self.follows, self.name):
            start, last = text.find(BEGIN.format(name=name)), END.format(name=name)
            if start < 0:
                continue
            end = text.find(last, start)
            if end < 0:
                raise Conflict(f"{self.path}: the block of {name} has lost its last line `{last}`; mend it by hand")
            text = text[:start].removesuffix("\n") + text[end + len(last) :].removeprefix("\n")
        return text

    def _parsed(self, text: str) -> None:
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise Conflict(f"{self.path}: {error}; nothing was changed") from None


class OwnFile(Record):
    """A file that is ours alone, known by the marker in it."""

    path: str
    content: str
    marker: str = PROGRAM
    mode: int = 0o600

    def install(self) -> Change:
        before = read(self.path)
        if before is not None and self.marker not in before:
            raise Conflict(f"{self.path} exists and is not ours; nothing was changed")
        return Change(self.path, before, self.content, self.mode)

    def uninstall(self) -> Change:
        before = read(self.path)
        ours = before is not None and self.marker in before
        return Change(self.path, before, None if ours else before, keep=before != self.content)

    def present(self) -> bool:
        return read(self.path) == self.content


def is_ours(entry: Any) -> bool:
    """Whether an entry of a host's list starts our hook, at any depth of it."""
    if isinstance(entry, dict):
        return any(is_ours(value) for value in entry.values())
    if isinstance(entry, list):
        return any(is_ours(value) for value in entry)
    return isinstance(entry, str) and any(os.path.basename(word.strip("'\"")) == PROGRAM for word in entry.split(" "))


def command_line(layout: Layout, host: str) -> str:
    """Our hook as a shell command, whatever stands in its path."""
    return f"{shlex.quote(f'{layout.bin}/{PROGRAM}')} {host}"


def toml_table(header: str, values: dict[str, str | int]) -> str:
    """A table in TOML. A JSON string without escaped surrogates is a TOML string."""
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return header + "\n" + "".join(lines)
