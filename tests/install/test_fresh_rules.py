"""A rule that is added, edited in place or removed is known to the next call of the hook, the shell front included."""

import json
import os

from tests.asked import word

RULE = """
summary = "frobnicates"
why = "it is not wanted"
decision = "{0}"
[[match]]
program = "frobnicate"
[[example]]
run = "frobnicate all"
expect = "{0}"
[[example]]
run = "other"
expect = "pass"
"""


def answer(layout, text, **environment):
    return word(layout.bin, text, env={**os.environ, **environment})


def test_the_next_call_knows_a_rule_that_was_added_edited_or_removed(deployed_here, tmp_path):
    assert answer(deployed_here, "frobnicate all") == "pass"
    rule = tmp_path / "gate post/config/rules/mine/no-frobnicating.toml"
    rule.parent.mkdir(parents=True)
    rule.write_text(RULE.format("deny"))
    assert answer(deployed_here, "frobnicate all") == "deny"
    assert answer(deployed_here, "ls") == "pass"
    rule.write_text(RULE.format("ask"))
    assert answer(deployed_here, "frobnicate all") == "ask"
    rule.unlink()
    assert answer(deployed_here, "frobnicate all") == "pass"


def test_a_call_that_compiles_trusts_no_path(deployed_here, tmp_path):
    """A project's folders may stand first on the agent's PATH: nothing there is run, and no shim is made for it."""
    shims = tmp_path / "gate post/prefix/compiled/shims.json"
    before = json.loads(shims.read_text())
    poison = tmp_path / "poison"
    poison.mkdir()
    for name in ("cc", "gcc", "as", "ld", "git", "uv", "ssh", "rsync", "jj", "python3", "sh"):
        (poison / name).write_text(f"#!/bin/sh\n: >'{tmp_path}/ran'\n")
        (poison / name).chmod(0o755)
    rule = tmp_path / "gate post/config/rules/mine/no-frobnicating.toml"
    rule.parent.mkdir(parents=True)
    rule.write_text(RULE.format("deny"))
    path = f"{poison}:{os.environ['PATH']}"
    assert answer(deployed_here, "frobnicate all", PATH=path, CC=f"{poison}/cc", TMPDIR=str(poison)) == "deny"
    assert answer(deployed_here, "ls", PATH=path) == "pass"
    assert json.loads(shims.read_text()) == before
    assert not (tmp_path / "ran").exists()
    assert len(list(poison.iterdir())) == 11
