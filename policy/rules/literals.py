"""The words without which a rule cannot match, for a generated front that answers before Python starts.

For one alternative: a tuple of groups; every group must be met, by any of its literals as a whole word (an operator sign anywhere). ()
means "cannot be said: always ask Python". A program's literals are all its names; where a program knows aliases of its own (git, jj), its
subcommands are no literals, because configuration may hide them. Programs that start others or run code (`Names.launching`) can lead to
any rule: a text with one of them is Python's.
"""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

LAUNCHING = frozenset({"argv", "until", "words", "program", "shell", "shell-one", "recipe", "git-config"})
SIGNS = {"": (">", "<"), "@recursion": ("(", "{")}
"""What must stand in a text for a "program" that no word names: a redirection alone, a function that starts itself."""
TARGETS = {"target": "write", "remote-to": "write", "remote": "read"}


class Names:
    """What the grammars say about names: all names of a program, programs by what they do to paths, and which have aliases of their own."""

    def __init__(self, grammars: Mapping[str, bytes], kinds: tuple[str, ...]) -> None:
        loaded = {name: marshal.loads(data) for name, data in grammars.items()}  # noqa: S302
        self.others: dict[str, list[str]] = {}
        for name, grammar in loaded.items():
            self.others.setdefault(grammar if isinstance(grammar, str) else name, []).append(name)
        whole = {name: grammar for name, grammar in loaded.items() if not isinstance(grammar, str)}
        self.hiding = frozenset(name for name, grammar in whole.items() if grammar.get("alias") == "alias")
        self.doing: dict[str, list[str]] = {}
        launching: list[str] = []
        for name, grammar in whole.items():
            texts = set(_texts(grammar))
            roles = set(kinds) if grammar["reader"] else {TARGETS.get(text, text) for text in texts} & set(kinds)
            for role in roles:
                self.doing.setdefault(role, []).append(name)
            if grammar["env"] or any(text in LAUNCHING or text.startswith(("code:", "file:")) for text in texts):
                launching.append(name)
        self.launching = self.all_of(tuple(launching))

    def all_of(self, programs: tuple[str, ...]) -> tuple[str, ...]:
        """Every name under which one of the programs can be started."""
        return tuple(dict.fromkeys(name for program in programs for name in (program, *self.others.get(program, ()))))


def _texts(value: Any) -> Iterator[str]:
    """Every string in a grammar, its packed parts included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield from _texts(marshal.loads(value))  # noqa: S302
    elif isinstance(value, dict):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _texts(one)


def of(alternatives: tuple[Any, ...], names: Names) -> tuple[Any, ...]:
    """One entry for each alternative of a compiled rule."""
    return tuple(_alternative(dict(tests), names) for tests, _facts, _shown in alternatives)


def _alternative(tests: dict[str, Any], names: Names) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    if "program" in tests:
        groups.append(tuple(sign for name in names.all_of(tests["program"]) for sign in SIGNS.get(name, (name,))))
        if "subcommand" in tests and not names.hiding.intersection(tests["program"]):
            groups += _subcommands(tests["subcommand"])
    elif "command" in tests:
        groups.append(names.all_of(tuple(command.partition(" ")[0] for command in tests["command"])))
    elif "effects" in tests:
        groups.append(_doing(tests["effects"], names))
    if "environment" in tests:
        groups.append(("=",))
    if tests.get("started_by_path"):
        groups.append(("/",))
    if "piped_from" in tests or "piped_to" in tests:
        groups.append(("|",))
    return tuple(groups)


def _doing(effects: dict[str, Any], names: Names) -> tuple[str, ...]:
    redirects = ("<", ">", "&") if effects.get("redirect") is not False else ()
    if effects.get("redirect"):
        return redirects
    programs = tuple(dict.fromkeys(name for kind in effects["kinds"] for name in names.doing.get(kind, ())))
    return (*names.all_of(programs), *redirects)


def _subcommands(given: tuple[str, ...]) -> list[tuple[str, ...]]:
    firsts = tuple(dict.fromkeys(sub.split(" ")[0] for sub in given))
    return [] if any(sign in first for first in firsts for sign in "*?[") else [firsts]
