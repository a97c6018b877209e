"""The shipped rules, read and compiled once, and a small rule made on the spot."""

from __future__ import annotations

import pytest

from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog, given, schema, translate
from policy.rules import compile as compiler


@pytest.fixture(scope="session")
def shipped():
    return catalog.load(catalog.Sources(catalog.shipped(), (), "/opt/gatepost/bin"))


@pytest.fixture(scope="session")
def everything(shipped):
    """The compiled policy of every shipped rule, in memory."""
    content, _ = compiler.pack(catalog.Sources(catalog.shipped(), (), "/opt/gatepost/bin"), shipped, check=False)
    return Compiled(content)


@pytest.fixture(scope="session")
def configured(tmp_path_factory):
    """An engine of the shipped rules under the text of a person's config.toml, which must be without a fault."""
    memory: dict = {}

    def made(config: str) -> Engine:
        folder = tmp_path_factory.mktemp("config")
        (folder / "config.toml").write_text(config)
        sources = catalog.Sources(catalog.shipped(), (("user", str(folder)),), "/opt/bin")
        found = catalog.load(sources)
        assert found.problems == ()
        return Engine.of(Compiled(compiler.pack(sources, found, check=False, memory=memory)[0]))

    return made


@pytest.fixture
def decide(everything):
    """Judges a text in the world that a `given` table describes, by rules written as TOML (all shipped ones when none is given)."""

    def judged(text: str, rule: str | None = None, world: dict | None = None, action: str | None = None, **request):
        compiled = everything
        if rule is not None:
            read = schema.read(rule, "team/rule.toml", schema.Rule)
            compiled = everything.only(
                translate.buckets([translate.rule("team/rule", read, action or read.decision, {}, everything.aliases)])
            )
        about = given.GivenWorld(world or {})
        base = Request(text=text, cwd=about.cwd, home=about.home, environment={"HOME": about.home}, dialect="bash")
        return Engine.of(compiled).decide(base.replace(**request), about)

    return judged


RULE = """
summary = "x"
why = "y"
decision = "{decision}"
{extra}
[[match]]
{match}
[[example]]
run = "never-run"
expect = "{decision}"
[[example]]
run = "true"
expect = "pass"
"""


@pytest.fixture
def rule():
    """The text of a rule with these keys in its only match."""
    return lambda match, decision="deny", extra="": RULE.format(match=match, decision=decision, extra=extra)
