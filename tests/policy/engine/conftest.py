"""Engines over a handful of rules written in the test."""

from __future__ import annotations

import pytest

from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog, schema, translate
from policy.rules import compile as compiler
from policy.rules.given import GivenWorld


@pytest.fixture(scope="session")
def everything():
    """The compiled policy of every shipped rule, in memory."""
    sources = catalog.Sources(catalog.shipped(), (), "/opt/gatepost/bin")
    content, _ = compiler.pack(sources, catalog.load(sources), check=False)
    return Compiled(content)


EXAMPLES = '[[example]]\nrun = "never"\nexpect = "{0}"\n[[example]]\nrun = "true"\nexpect = "pass"\n'


@pytest.fixture
def engine(everything):
    """An engine whose rules are {id: TOML without examples}; all shipped ones when none are given."""

    def made(rules=None, **ask):
        if rules is None:
            return Engine.of(everything, **ask)
        compiled = []
        for name, text in rules.items():
            decision = text.partition('decision = "')[2].partition('"')[0]
            read = schema.read(f'summary = "{name}"\nwhy = "w"\n{text}\n{EXAMPLES.format(decision)}', name, schema.Rule)
            compiled.append(translate.rule(name, read, read.decision, {}, everything.aliases))
        return Engine.of(everything.only(translate.buckets(compiled)), **ask)

    return made


@pytest.fixture
def request_of():
    """A request at the hook door in the example world's directory."""

    def made(text="", **about):
        world = GivenWorld({})
        return Request(
            text=text, cwd=world.cwd, home=world.home, environment={"HOME": world.home}, dialect="bash"
        ).replace(**about)

    return made
