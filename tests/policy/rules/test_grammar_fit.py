"""Rules name programs, subcommands and options as the grammars know them; a name that no grammar has would match nothing, silently."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from policy.programs.schema import split_option
from policy.rules import catalog

PROGRAMS = Path(catalog.shipped()) / "programs"
GRAMMARS = {path.stem: tomllib.loads(path.read_text()) for path in PROGRAMS.glob("*.toml")}
MEMBERS = {grammar["program"]: grammar for grammar in GRAMMARS.values()}
ALIASES = {
    alias: grammar["program"]
    for grammar in GRAMMARS.values()
    for alias in grammar.get("aliases", ())
    if alias not in MEMBERS
}


def like(grammar):
    """The grammar with what it takes from another one."""
    base = MEMBERS.get(grammar.get("like", ""), {})
    base = like(base) if base else {}
    return {**base, **grammar, "options": [*base.get("options", ()), *grammar.get("options", ())]}


def options(grammar):
    parts = [grammar, *grammar.get("sub", {}).values()]
    return {split_option(line)[0][0] for part in parts for line in part.get("options", ())}


def named(match, *keys):
    return {written.lstrip("!").partition("=")[0] for key in keys for written in getattr(match, key)}


def names(shipped, rule, words):
    parameters = shipped.rules[rule].parameters
    return [n for word in words for n in (parameters[word[1:]] if word.startswith("$") else [word])]


def faults(rule, shipped):
    found = []
    for match in shipped.rules[rule].rule.match:
        programs = [ALIASES.get(name, name) for name in names(shipped, rule, match.program)]
        known = [like(MEMBERS[p]) for p in programs if p in MEMBERS]
        if programs and len(known) == len(programs):
            have = set().union(*(options(g) for g in known))
            wanted = named(match, "any_option", "all_options", "no_option")
            found += [f"no grammar of {programs} has the option {name}" for name in sorted(wanted - have)]
        if match.subcommand:
            found += [f"{p} has no grammar" for p in programs if p not in MEMBERS]
        other = {
            alias: sub for g in known for sub, part in g.get("sub", {}).items() for alias in part.get("aliases", ())
        }
        found += [
            f"{s} is another name of {other[s]}"
            for s in match.subcommand
            if s in other and other[s] not in match.subcommand
        ]
    return found


@pytest.mark.parametrize("rule", [name for name, _ in catalog.rule_files(catalog.shipped())])
def test_names_are_the_grammars(rule, shipped):
    assert faults(rule, shipped) == []
