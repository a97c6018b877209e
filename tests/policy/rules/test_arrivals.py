"""What is put into a directory changes what has the same name there, not everything below it."""

from __future__ import annotations

import pytest

from guards.world import RealWorld
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog
from policy.rules import compile as compiler

PASS = [
    "rsync host:x .",
    "rsync -a host:x .",
    "rsync -av host:data/run1 host:b ~/",
    "scp -r host:x .",
    "cp -r /tmp/x .",
    "cp -a /tmp/x/y ~",
    "cp -r /tmp/x/* .",
    "cp -rt . /tmp/x",
    "mv /tmp/x .",
]
DENY = [
    "rsync -a host:x/ .",
    "rsync -a host: .",
    "rsync -aR host:a/.claude .",
    "rsync -a host:.claude ~",
    "scp -r host:.ssh ~",
    "cp -r /tmp/x/. .",
    "cp -r /tmp/.claude .",
    "cp -r /tmp/.config .",
    "cp -rt . /tmp/.claude",
    "cp -r /tmp/gatepost ~/.config",
    'cp -r "$X" .',
    "mv /tmp/.claude ~",
    "mv ~/.claude /tmp/y",
]


@pytest.fixture(scope="module")
def decide(tmp_path_factory):
    """The action on a request in a home that holds settings of an agent."""
    root = tmp_path_factory.mktemp("arrivals")
    home = root / "home"
    (home / ".claude").mkdir(parents=True)
    (home / ".config").mkdir()
    (home / ".claude/settings.json").write_text("{}")
    (root / "compiled").mkdir(mode=0o700)
    compiler.write(catalog.Sources(catalog.shipped(), (), "/opt/bin"), str(root / "compiled"), check=False)
    engine = Engine.load(str(root / "compiled"))

    def action(text):
        request = Request(
            text=text, cwd=str(home), home=str(home), environment={}, door="hook", tool="shell", dialect="bash"
        )
        return engine.decide(request, RealWorld({}, str(home))).action

    return action


@pytest.mark.parametrize("text", PASS)
def test_under_another_name_it_is_nobody_elses_business(decide, text):
    assert decide(text) == "pass"


@pytest.mark.parametrize("text", DENY)
def test_what_may_land_on_settings_is_refused(decide, text):
    assert decide(text) == "deny"
