"""A person lets a refused request pass once, by a code that only they see: exactly it, there, at that commit, in that session, in time."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from guards import codes, kin
from guards.hook.call import Reply
from guards.install.probe import understood
from policy.model import Decision, Finding
from tests.guards.hook.payloads import raw

CODE = re.compile(r"gatepost allow-once ([a-z0-9]+)")


def denied(**changes):
    return Decision("deny", "git/x", "no", findings=(Finding("git/x", "deny", "no", invocation=0).replace(**changes),))


@pytest.fixture
def kept(layout, monkeypatch):
    """An installation with a runtime folder, in a process that descends from no agent."""
    os.makedirs(layout.runtime, mode=0o700)
    monkeypatch.setattr(kin, "ancestors", lambda: iter(()))
    return layout


def test_the_person_is_told_the_code_and_the_model_is_not(hook, kept):
    answer = json.loads(hook("claude", raw("claude", "git x", str(kept.runtime)), denied()).stdout)
    code = CODE.search(answer.pop("systemMessage")).group(1)
    assert code not in json.dumps(answer)
    assert "allow-once" not in json.dumps(answer)


@pytest.mark.parametrize(
    "decision", [denied(final=True), denied(rule="gatepost/error"), denied(action="ask").replace(action="ask")]
)
def test_no_code_where_nothing_may_be_lifted_or_a_person_is_asked_anyway(hook, kept, decision):
    assert "allow-once" not in hook("claude", raw("claude", "git x", str(kept.runtime)), decision).stdout


def test_what_a_person_allowed_passes_once_and_nothing_else_does(hook, kept, monkeypatch):
    monkeypatch.setattr("guards.hook.judge.everything_against", lambda request, layout: (denied().findings, ()))
    for text in ("git x", "git x " + "é" * 5000):
        answer = json.loads(hook("claude", raw("claude", text, str(kept.runtime)), denied()).stdout)
        code = CODE.search(answer["systemMessage"]).group(1)
        assert codes.redeem(kept, code).rules == ("git/x",)
        assert "deny" in hook("claude", raw("claude", text + " z", str(kept.runtime)), denied()).stdout
        assert "deny" in hook("claude", raw("claude", text, "/"), denied()).stdout
        assert "deny" in hook("claude", raw("claude", text, str(kept.runtime), session_id="s2"), denied()).stdout
        assert hook("claude", raw("claude", text, str(kept.runtime)), denied()) == Reply()
        assert "deny" in hook("claude", raw("claude", text, str(kept.runtime)), denied()).stdout


def test_a_final_rule_that_had_not_been_asked_yet_still_refuses(hook, kept, monkeypatch):
    monkeypatch.setattr(
        "guards.hook.judge.everything_against", lambda request, layout: (denied(final=True).findings, ())
    )
    answer = json.loads(hook("claude", raw("claude", "git x", str(kept.runtime)), denied()).stdout)
    codes.redeem(kept, CODE.search(answer["systemMessage"]).group(1))
    assert "deny" in hook("claude", raw("claude", "git x", str(kept.runtime)), denied()).stdout


def test_the_whole_way_hook_person_hook_shim(deployed, git_env, dirty_repo):
    def ask(text="git reset --hard"):
        made = subprocess.run(
            [f"{deployed.bin}/gatepost-hook", "claude"],
            input=raw("claude", text, str(dirty_repo)),
            capture_output=True,
            env=git_env,
            timeout=60,
        )
        return understood(made.returncode, made.stdout.decode(), "").word, made.stdout.decode()

    word, said = ask()
    assert word == "refused"
    subprocess.run(
        [f"{deployed.bin}/gatepost", "allow-once", CODE.search(said).group(1)],
        env=git_env,
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert ask("git reset --hard HEAD")[0] == "refused"
    assert ask()[0] == "passed"
    shims = {**git_env, "PATH": f"{deployed.prefix}/shims:{git_env['PATH']}"}
    assert (
        subprocess.run(
            ["/bin/sh", "-c", "git reset --hard"], cwd=dirty_repo, env=shims, capture_output=True, timeout=60
        ).returncode
        == 0
    )
    assert (dirty_repo / "src/a.py").read_text() == "one = 1\n"
    (dirty_repo / "src/a.py").write_text("again\n")
    assert ask()[0] == "refused"
    assert ask("gatepost allow-once abcdefgh")[0] == "refused"
