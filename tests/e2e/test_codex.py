"""The real Codex, installed into by our own command, which also makes Codex trust the hook."""

from __future__ import annotations

import os

import pytest

from tests.e2e.conftest import Agent, client

pytestmark = pytest.mark.e2e
VERSION = "0.171.0"


class Codex(Agent):
    host = "codex"


@pytest.fixture(scope="session")
def program():
    return client("@openai/codex", VERSION, "codex")


@pytest.fixture
def codex(program, deployed_here, dirty_repo, agent_environment):
    environment = {**agent_environment, "PATH": f"{os.path.dirname(program)}:{agent_environment['PATH']}"}
    agent = Codex(program, deployed_here, environment["HOME"], dirty_repo, environment)
    assert "trusts the hook" in agent.gatepost("install", "codex")
    return agent


def test_the_reset_did_not_run_and_the_model_was_told_the_rule_and_the_safe_command(codex):
    (told,) = codex.ask("git reset --hard")
    assert (codex.repository / "src/a.py").read_text() == "one = 11\n"
    assert "[git/reset-hard]" in told
    assert "git stash push" in told


def test_a_question_is_refused_because_nobody_can_be_asked(codex):
    (told,) = codex.ask("touch ran.txt; echo $(")
    assert not (codex.repository / "ran.txt").exists()
    assert "cannot ask" in told
    assert "[shell/unparsed]" in told


def test_innocent_commands_ran_and_nobody_noticed_us(codex):
    listed, written = codex.ask("ls -la", "echo one > ran.txt && cat ran.txt")
    assert "src" in listed
    assert "one" in written
    assert "gatepost" not in (listed + written).replace(str(codex.layout.prefix), "")


def test_a_broken_installation_says_so_and_blocks(codex):
    for name in os.listdir(codex.layout.compiled):
        if name.startswith("policy."):
            os.unlink(f"{codex.layout.compiled}/{name}")
    (told,) = codex.ask("touch ran.txt; git reset --hard")
    assert not (codex.repository / "ran.txt").exists()
    assert "gatepost" in told.lower()
