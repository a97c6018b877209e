"""What a program's grammar and a rule's tests say about a plain request: which words a rule cannot match without.

See shims/skip.py for what it is used for and why it may be relied on.
"""

from __future__ import annotations

import marshal

from policy.flow.start import LAUNCHED
from policy.record import Record
from policy.rules.glob import matches
from policy.rules.predicates.jj_git import READS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    Words = tuple[str, ...]

ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_:,@%+-")
"""The characters of a plain request's words. No quote, `=`, `~`, `$`, glob, brace, operator or comment sign is among them."""

IMPOSSIBLE = ("piped_from", "piped_to", "launched_by", "environment", "stdin_contains", "marks")
"""Tests that the one invocation of a plain request never meets."""

IMPOSSIBLE_FACTS = (
    "piped", "piped_to_head", "filtered_output", "in_background", "in_reading_loop", "fork_bomb", "piped_secret", "empty_variable",
    "guarded_variable", "sweeping", "feeds", "feeds_named",
)  # fmt: skip
"""Facts that are read off the text alone and hold only with neighbours in a pipe, functions, expansions or globs."""

READERS: dict[str, tuple[str, ...]] = {
    "": (),
    "git": ("ext::*",),
    "cargo": ("--config*", "--exec*", "-x*"),
    "fd": (),
    "gh": (),
    "cmake": (),
}
"""Grammars with a reader of their own that may be taken at their word, and patterns of words that the reader makes something of."""

READ_OTHERWISE = {("gh", "alias set"), ("cargo", "watch")}
"""Subcommands that such a reader launches something from."""

FIXED = {"door": "hook", "tool": "shell"}
"""Tests against a list, and the one value that such an invocation has."""

EFFECTS = frozenset({"read", "write", "append", "create", "delete", "move-from", "move-to", "mode", "execute", "link"})

HARMLESS = EFFECTS | {"data", "stop", "target", "remote", "remote-to"}
"""Roles of words that launch nothing, configure nothing and move nowhere. Everything else keeps a request from the front."""

KINDS = {"target": "write", "remote": "read", "remote-to": "write"}


class Unanswerable(Exception):  # noqa: N818
    """Some rule could match whatever the words are."""


class Needs(Record):
    """Patterns of words, and of the paths that words name; an alternative that needs them is out while nothing matches any of them."""

    words: Words
    paths: Words = ()

    @property
    def cost(self) -> int:
        """Roughly how often innocent requests match: short patterns hit more."""
        return sum(max(1, 12 - len(pattern)) for pattern in (*self.words, *self.paths))


def part_of(grammar: Mapping[str, Any], subcommand: str) -> dict[str, Any]:
    """The part of a compiled grammar that reads a subcommand."""
    part: dict[str, Any] = marshal.loads(grammar["parts"][grammar["subs"][subcommand]])  # noqa: S302
    return part


class Reading:
    """A form of requests as the grammar reads it. `written` and `word` are its first words, `subcommand` what the grammar calls `word`."""

    def __init__(self, written: str, word: str, grammar: Mapping[str, Any] | None, subcommand: str = "") -> None:
        self.written = written
        self.word = word
        self.reader: str = "" if grammar is None else grammar["reader"]
        self.program = written if grammar is None else grammar["name"]
        self.familiar = grammar is not None
        self.subcommand = subcommand
        self.part = part_of(grammar, subcommand) if grammar is not None and subcommand else grammar
        outer = grammar if subcommand and grammar is not None and grammar["inherit"] else None
        self.parts = [part for part in (outer, self.part) if part is not None]
        self.options: dict[str, tuple[str, int, str]] = {}
        for part in self.parts:
            self.options.update(part["opts"])

    def _operand_roles(self) -> set[str]:
        """Roles of operands in every variant of the form; raises Unanswerable when one of them reads its input or launches."""
        if self.part is None:
            return set()
        variants = [self.part, *(form[-1] for form in self.part["when"])]
        roles = {role for variant in variants for role, _ in variant.get("ops", ())}
        if not roles <= HARMLESS or self.part["assign"] or any(variant.get("stdin") for variant in variants):
            raise Unanswerable
        return roles

    def kinds(self) -> set[str]:
        """Kinds of effects that the words of the form can have. Raises Unanswerable."""
        return _kinds(self._operand_roles() | {role for _, _, role in self.options.values()})

    def launching_words(self) -> set[str]:
        """Patterns for options whose value is run, or moves or configures what runs; without a grammar, for words that may begin a command."""
        if not self.familiar:
            return {pattern for word in LAUNCHED for pattern in (word, f"*/{word}")}
        if self.reader not in READERS or (self.program, self.subcommand) in READ_OTHERWISE:
            raise Unanswerable
        risky = [spelling for spelling, (_, _, role) in self.options.items() if role and role not in HARMLESS]
        return {pattern for spelling in risky for pattern in self._spelled(spelling)} | set(READERS[self.reader])

    def needed(self, alternative: tuple[Any, ...]) -> Needs | None:
        """What an alternative cannot match without; None when it cannot match at all. Raises Unanswerable when it needs nothing."""
        tests = dict(alternative[0])
        facts = {name: value for name, value, negated in alternative[1] if not negated}
        if self._excluded(tests) or any(name in facts for name in IMPOSSIBLE_FACTS):
            return None
        if "jj_git" in facts and self.subcommand in READS:
            return None
        best: Needs | None = None
        for group in (*self._groups(tests), *_fact_groups(facts)):
            if not group.words and not group.paths:
                return None
            if best is None or group.cost < best.cost:
                best = group
        if best is None:
            raise Unanswerable
        return best

    def _excluded(self, tests: Mapping[str, Any]) -> bool:
        """Whether some test can never be met by the form."""
        if any(name in tests for name in IMPOSSIBLE) or any(
            value not in tests.get(name, (value,)) for name, value in FIXED.items()
        ):
            return True
        if self.program not in tests.get("program", (self.program,)) or tests.get("unknown") is True:
            return True
        if tests.get("started_by_path") is True:
            return True
        if "subcommand" in tests and not any(matches(self.subcommand, pattern) for pattern in tests["subcommand"]):
            return True
        effects = tests.get("effects")
        return effects is not None and (
            effects.get("redirect") is True or not self.kinds().intersection(effects["kinds"])
        )

    def _effect_options(self, kinds: Words) -> Words:
        """Patterns of the options by which alone an effect of these kinds can come about; () when an operand can have it."""
        if _kinds(self._operand_roles()).intersection(kinds):
            return ()
        having = [spelling for spelling, (_, _, role) in self.options.items() if _kinds({role}).intersection(kinds)]
        return tuple(pattern for spelling in having for pattern in self._spelled(spelling))

    def _groups(self, tests: Mapping[str, Any]) -> Iterator[Needs]:
        """One for each test that needs a word in the text; an empty one for a test that no word can meet."""
        if "any_option" in tests:
            yield Needs(tuple(pattern for wanted in tests["any_option"] for pattern in self._wanted(wanted)))
        for wanted in tests.get("all_options", ()):
            yield Needs(tuple(self._wanted(wanted)))
        for test in ("operand", "word"):
            if test in tests:
                yield Needs(tuple(pattern.replace("[^", "[!") for pattern in tests[test]))
        if "says" in tests and (
            fragments := _fragments(_any_case(phrase.partition(" ")[0]) for phrase in tests["says"])
        ):
            yield Needs(fragments)
        if "effects" in tests and (options := self._effect_options(tests["effects"]["kinds"])):
            yield Needs(options)
        paths = tests.get("effects", {}).get("path")
        if paths and (fragments := _fragments(map(_part_of_path, paths))):
            yield Needs((), fragments)

    def _wanted(self, wanted: tuple[str, str | None, bool]) -> set[str]:
        """Cover the words by which an option that a rule names can be given: of a program without a grammar the rule's own word."""
        name, _, negated = wanted
        if self.part is None:
            return set() if negated else {name}
        spellings = [spelling for spelling, entry in self.options.items() if entry[0] == name] or [name]
        if negated:
            spellings += [f"--no-{name.lstrip('-')}", f"--{name.removeprefix('--no-')}"]
        return {pattern for spelling in spellings for pattern in self._spelled(spelling)}

    def _spelled(self, spelling: str) -> set[str]:
        """Cover every word that the grammar reads as this spelling; a value behind `=` cannot stand in a plain word."""
        single = any(part["single"] for part in self.parts)
        body = spelling.lstrip("-+/")
        if len(body) < len(spelling) - 1 or len(body) > 1:
            dashes = ("-", "--") if single else (spelling[: len(spelling) - len(body)],)
            shortest = 1 if any(part["abbr"] for part in self.parts) else len(body)
            return {f"{dash}{body[:length]}" for dash in dashes for length in range(shortest, len(body) + 1)}
        return {f"{spelling}*", f"{spelling[:1]}[!-]*{body}*", *((f"--{body}",) if single else ())}


def _kinds(roles: Iterable[str]) -> set[str]:
    """Kinds of effects that words with these roles have."""
    return {KINDS.get(role, role) for role in roles} & EFFECTS


def _fact_groups(facts: Mapping[str, Any]) -> Iterator[Needs]:
    """One for each fact that looks for certain words in the text and at nothing else."""
    if "verb" in facts:
        yield Needs(tuple(facts["verb"]))
    if "first_words" in facts:
        yield Needs(
            tuple(phrase if phrase.startswith("-") else max(phrase.split(), key=len) for phrase in facts["first_words"])
        )


def _fragments(globs: Iterable[str]) -> Words:
    """Patterns for words that hold the longest literal piece of each glob; () when one of them has no such piece."""
    found = []
    for glob in globs:
        piece = max(_pieces(glob), key=len, default="")
        if not piece:
            return ()
        found.append(f"*{piece}*")
    return tuple(found)


def _pieces(glob: str) -> list[str]:
    """Runs of the glob that every word it covers holds; a set in brackets stands in them as itself."""
    pieces, at = [""], 0
    while at < len(glob):
        end = glob.find("]", at + 2) if glob[at] == "[" else -1
        if end > 0 and glob[at + 1] not in "!^":
            pieces[-1] += glob[at : end + 1]
        elif end > 0 or glob[at] in "*?":
            pieces.append("")
        else:
            pieces[-1] += glob[at]
        at = end + 1 if end > 0 else at + 1
    return [piece for piece in pieces if piece]


def _any_case(word: str) -> str:
    return "".join(f"[{letter.lower()}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


def _part_of_path(glob: str) -> str:
    """The longest piece of a path glob that lies inside one component: normalising a path moves components, it does not cut them."""
    parts = glob.removeprefix("~").split("/")
    return max((piece for part in parts for piece in _pieces(part)), key=len, default="")
