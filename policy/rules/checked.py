"""Whether every rule's examples and suggestions hold. Runs when rules change, with a memory of what held already.

What was found in order is tried again as soon as anything that it depends on has changed: this package's code, the grammars, the shipped
rules, and for a rule of the managed or user layer also its own file, the settings and the profile. What failed is never remembered.

A shipped rule is tried among the shipped rules alone, a person's rule among these and itself. What other files make of the suggestions
afterwards costs nobody a rule: a suggestion that they refuse is not shown, and a note says so.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os

from policy.engine import Engine
from policy.record import Record
from policy.rules.given import GivenWorld, given_facts, judge, own_buckets, request_of
from policy.rules.glob import matches
from policy.rules.schema import RuleError
from policy.wording import PLACEHOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from policy.compiled import Compiled
    from policy.rules.catalog import Catalog
    from policy.rules.layers import Found

    Offers = list[tuple[str, int, str]]

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = "built-in"


class Tried(Record):
    """`faults` what is wrong with one rule; `offers` (rule, number of the example, suggestion) of what it suggests there."""

    faults: tuple[str, ...] = ()
    offers: tuple[tuple[str, int, str], ...] = ()


class Checked(Record):
    """`left_out` ids of rules that are not in force, `problems` why; `notes` what is worth knowing; `memory` what held, for the next time."""

    left_out: frozenset[str]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    memory: dict[str, Any]


class Policies(Record):
    """`whole` is the policy after all layers; `shipped` and `beside` (the shipped rules under the person's settings) are made when needed."""

    whole: Compiled
    shipped: Callable[[], Compiled]
    beside: Callable[[], Compiled]


def check(found: Catalog, policies: Policies, memory: Mapping[str, Any]) -> Checked:
    """Every rule that is not known to hold. Raises RuleError for a shipped rule with a fault."""
    ground = _digest(
        _code(), *_bytes(policies.whole.grammar_bytes), *_files(r.path for r in found.rules.values() if r.layer == OURS)
    )
    here = _digest(ground, marshal.dumps(_settings(policies.whole.config)))
    kept: dict[str, Any] = {}
    left_out: set[str] = set()
    problems: list[str] = []
    offers: Offers = []
    key = f"shipped {ground}"
    kept[key] = memory[key] if key in memory else _shipped(found, policies)
    offers += kept[key]
    for rule in found.rules.values():
        if rule.layer == OURS:
            continue
        key = f"{rule.id} {_digest(here, *_files([rule.path]))}"
        tried = Tried((), tuple(memory[key])) if key in memory else _tried_beside(rule, policies)
        if tried.faults:
            left_out.add(rule.id)
            problems += tried.faults
        else:
            kept[key] = list(tried.offers)
            offers += tried.offers
    changed = found.changed() - left_out
    return Checked(frozenset(left_out), tuple(problems), tuple(_dropped(found, policies.whole, offers, changed)), kept)


def _shipped(found: Catalog, policies: Policies) -> Offers:
    everything = policies.shipped()
    tried = [tried_out(rule, everything) for rule in found.rules.values() if rule.layer == OURS]
    faults = [fault for one in tried for fault in one.faults]
    if faults:
        raise RuleError("\n".join(faults))
    return [offer for one in tried for offer in one.offers]


def _tried_beside(rule: Found, policies: Policies) -> Tried:
    beside = policies.beside()
    as_it_stands = rule.rule.example[0].model_copy(update={"parameters": dict(rule.parameters)})
    try:
        return tried_out(rule, beside.plus(own_buckets(rule, as_it_stands, beside)))
    except RuleError as error:
        return Tried((f"{rule.path}: {error}",))


def tried_out(found: Found, everything: Compiled) -> Tried:
    """A rule's examples, each judged by the rule alone, and its suggestions, judged by `everything`.

    A fault is an example that turns out otherwise, and a suggestion that is refused wherever it is made.
    """
    told: list[str] = []
    made: set[str] = set()
    offers: Offers = []
    for number, example in enumerate(found.rule.example, 1):
        place = f"{found.path}: example {number} ({example.run or example.argv or example.path!r})"
        own = own_buckets(found, example, everything)
        said, _, decision = judge(example, found.id, everything.only(own))
        failures = [f.reason for f in decision.findings if f.rule == "gatepost/error"]
        if failures:
            told.append(f"{place}: {failures[0]}")
        elif said != example.expect:
            because = next((f.reason for f in decision.findings), "no rule said anything")
            told.append(f"{place}: expected {example.expect}, got {said}; {because}")
        elif said in ("deny", "ask") and (found.rule.instead or example.instead):
            _, kept, whole = judge(example, found.id, everything.plus(own) if example.parameters else everything)
            mine = [f for f in whole.findings if f.rule == found.id and whole.rule == found.id]
            offers += [(found.id, number, text) for text in kept if mine]
            made.update(*(f.instead for f in mine))
            other = f", for {whole.rule} speaks first" if whole.rule != found.id else ""
            told += [f"{place}: `{text}` is not offered{other}" for text in example.instead if text not in kept]
    told += [
        f"{found.path}: its own suggestion `{text}` is refused in every example"
        for text in _refused(found, made, {text for _, _, text in offers})
    ]
    return Tried(tuple(told), tuple(offers))


def _refused(found: Found, made: set[str], offered: set[str]) -> list[str]:
    """The `instead` entries that were filled in somewhere and passed nowhere."""
    refused = []
    for template in found.rule.instead:
        pattern = f"*{template}"  # the folder may go first
        for name in PLACEHOLDERS:
            pattern = pattern.replace(f"{{{name}}}", "*")
        if any(matches(text, pattern) for text in made) and not any(matches(text, pattern) for text in offered):
            refused.append(template)
    return refused


def _dropped(found: Catalog, whole: Compiled, offers: Offers, changed: frozenset[str]) -> list[str]:
    """A note for each suggestion that a rule of `changed` (added or made stricter by a layer) refuses."""
    concern = Concern(one for name, many in whole.literals.items() if name in changed for one in many)
    notes = []
    for rule, number, text in offers:
        mine = found.rules.get(rule)
        if mine is None or not concern.may(text):
            continue
        example = mine.rule.example[number - 1]
        world = GivenWorld(example.given)
        request = request_of(example, world).replace(
            text=text, argv=None, tool="shell", path=None, content=None, cwd=world.cwd, dialect="bash"
        )
        decision = Engine.of(whole, given_facts(example.given)).decide(request, world)
        if decision.action in ("deny", "ask") and decision.rule in changed:
            notes.append(f"{rule}: its suggestion `{text}` is refused by {decision.rule}, so it is not shown")
    return list(dict.fromkeys(notes))


class Concern:
    """Which texts some rules could concern: one of the alternatives has a literal of each of its groups in the text.

    The alternatives are found by the literals of their first group, so that a text does not cost a look at each of thousands of rules.
    """

    def __init__(self, alternatives: Iterable[tuple[tuple[str, ...], ...]]) -> None:
        self._always = False
        self._by_literal: dict[str, list[tuple[tuple[str, ...], ...]]] = {}
        for groups in alternatives:
            self._always = self._always or not groups
            for literal in groups[0] if groups else ():
                self._by_literal.setdefault(literal, []).append(groups)
        self._lengths = sorted({len(literal) for literal in self._by_literal})

    def may(self, text: str) -> bool:
        """Whether one of the rules could."""
        if self._always:
            return True
        parts = {text[at : at + length] for length in self._lengths for at in range(len(text) - length + 1)}
        return any(
            all(any(literal in text for literal in group) for group in groups)
            for part in parts & self._by_literal.keys()
            for groups in self._by_literal[part]
        )


def _settings(config: Mapping[str, Any]) -> list[Any]:
    """What examples and suggestions may depend on."""
    return [config["settings"], config["profile"], sorted(config["issues"].items()), config["bin"]]


def _code() -> str:
    """What tells one state of this package's code from another."""
    seen = []
    for folder, folders, files in os.walk(PACKAGE):
        folders[:] = sorted(one for one in folders if one not in ("__pycache__", "shipped"))
        for name in sorted(files):
            if name.endswith(".py"):
                stat = os.stat(f"{folder}/{name}")
                seen.append((folder, name, stat.st_mtime_ns, stat.st_size))
    parser = importlib.util.find_spec("bashlex")
    return repr((seen, parser and parser.origin and os.stat(parser.origin).st_mtime_ns))


def _files(paths: Iterable[str]) -> list[bytes]:
    found = []
    for path in sorted(paths):
        with open(path, "rb") as file:
            found += [path.encode(), file.read()]
    return found


def _bytes(section: Any) -> list[bytes]:
    return [part for name in sorted(section.keys()) for part in (name.encode(), section[name])]


def _digest(*parts: str | bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()


def remembered(path: str) -> dict[str, Any]:
    """The memory at `path`; an empty one when there is none, or it is not ours alone, or it is damaged."""
    try:
        with open(path, "rb") as file:
            stat = os.fstat(file.fileno())
            if stat.st_uid not in (0, os.getuid()) or stat.st_mode & 0o022:
                return {}
            memory = marshal.loads(file.read())  # noqa: S302  -- owner and mode were checked
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return memory if isinstance(memory, dict) else {}
