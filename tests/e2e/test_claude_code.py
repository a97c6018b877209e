"""The real Claude Code, installed into by our own command: it is refused, told why and what to do, and innocent work goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from guards.install.deploy import put_hook
from tests.e2e.conftest import Agent, client

pytestmark = pytest.mark.e2e
VERSION = "2.1.332"


class Claude(Agent):
    host = "claude"
    extra_words = ("--allowedTools", "Bash,Write,Read")


@pytest.fixture(scope="session")
def program():
    return client("@anthropic-ai/claude-code", VERSION, "claude")


@pytest.fixture
def claude(program, deployed_here, dirty_repo, agent_environment):
    agent = Claude(program, deployed_here, agent_environment["HOME"], dirty_repo, agent_environment)
    agent.gatepost("install", "claude")
    return agent


def log(claude):
    with open(f"{claude.layout.state}/log.jsonl", encoding="ascii") as file:
        return [json.loads(line) for line in file]


def test_the_reset_did_not_run_and_the_model_was_told_the_rule_and_the_safe_command(claude):
    (told,) = claude.ask("git reset --hard")
    assert (claude.repository / "src/a.py").read_text() == "one = 11\n"
    assert "[git/reset-hard]" in told
    assert "git stash push" in told
    assert "src/a.py" in told
    entry = log(claude)[-1]
    assert (entry["host"], entry["action"], entry["rule"]) == ("claude", "deny", "git/reset-hard")


def test_the_model_takes_the_safe_command_and_then_the_reset_is_let_through(claude):
    refused, saved, reset = claude.ask(
        "git reset --hard", "git stash push --include-untracked", "git reset --hard && echo RESET-RAN"
    )
    assert "[git/reset-hard]" in refused
    assert "Saved working directory" in saved
    assert "RESET-RAN" in reset


def test_innocent_commands_ran_and_nobody_noticed_us(claude):
    listed, written = claude.ask("ls -la", "echo one > ran.txt && cat ran.txt")
    assert "src" in listed
    assert "one" in written
    assert (claude.repository / "ran.txt").read_text() == "one\n"
    assert "gatepost" not in (listed + written).replace(str(claude.layout.prefix), "")


def test_what_is_only_mentioned_is_not_refused(claude):
    (told,) = claude.ask(
        "git add -A && git -c user.name=A -c user.email=a@b commit -qm \"$(cat <<'EOF'\nnever git reset --hard\nEOF\n)\" && git log -1 --format=%s"
    )
    assert "never git reset --hard" in told


def test_text_that_cannot_be_read_is_a_question_which_nobody_answers_here(claude):
    (told,) = claude.ask("touch ran.txt; echo $(")
    assert not (claude.repository / "ran.txt").exists()
    assert told  # the client's own parser may speak first
    entry = log(claude)[-1]
    assert (entry["action"], entry["rule"]) == ("ask", "shell/unparsed")


def test_a_file_tool_cannot_take_the_guard_away(claude):
    settings = Path(claude.home, ".claude/settings.json")
    before = settings.read_text()
    path = {"file_path": str(settings)}
    _, told = claude.ask(
        ("Read", path), ("Write", {**path, "content": "{}"})
    )  # the client writes only what it has read
    assert settings.read_text() == before
    assert told
    assert [entry["rule"] for entry in log(claude) if entry.get("tool") == "write"] == ["self/settings"]


def test_a_rewritten_command_ran_inside_limits_and_needed_no_approval(claude, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "uv").write_text('#!/bin/sh\necho "uv ran: $*"; tr "\\0" " " < /proc/$PPID/cmdline\n')
    (tools / "uv").chmod(0o755)
    claude.environment["PATH"] = f"{tools}:{claude.environment['PATH']}"
    (told,) = claude.ask("cd src && uv run pytest -q")
    assert "uv ran: run pytest -q" in told
    assert log(claude)[-1]["action"] == "rewrite"
    assert "with-limits" in log(claude)[-1]["rewrite"]


@pytest.mark.parametrize("fault", ["killed", "missing", "hangs", "no interpreter", "no compiled rules"])
def test_a_hook_that_cannot_answer_blocks(claude, fault):
    hook = f"{claude.layout.bin}/gatepost-hook"
    if fault == "killed":
        _replace(hook, "#!/bin/sh\nkill -9 $$\n")
    elif fault == "missing":
        os.unlink(hook)
    elif fault == "hangs":
        _replace(hook, "#!/bin/sh\nexec sleep 60\n")
        settings = Path(claude.home, ".claude/settings.json")
        settings.write_text(settings.read_text().replace('"timeout": 30', '"timeout": 2'))
    elif fault == "no interpreter":
        put_hook(claude.layout.replace(python="/nowhere/python"))
    else:
        for name in os.listdir(claude.layout.compiled):
            if name.startswith("policy."):
                os.unlink(f"{claude.layout.compiled}/{name}")
    (told,) = claude.ask("git reset --hard; touch ran.txt")
    assert (claude.repository / "src/a.py").read_text() == "one = 11\n"
    assert not (claude.repository / "ran.txt").exists()
    assert "hook" in told.lower() or "gatepost" in told


def _replace(path, text):
    """Another program in its place; the old one may be running and is not written into."""
    os.unlink(path)
    Path(path).write_text(text)
    os.chmod(path, 0o700)


def test_the_doctor_proves_it_through_the_client(claude):
    claude.environment["PATH"] = f"{os.path.dirname(claude.program)}:{claude.environment['PATH']}"
    assert "the real client called the hook" in claude.gatepost("doctor", "claude", "--live")
    claude.gatepost("uninstall", "claude")
    assert "did not call the hook" in claude.gatepost("doctor", "claude", "--live", status=1)


def test_a_host_whose_hook_was_uninstalled_is_as_before(claude):
    claude.gatepost("uninstall", "claude")
    claude.ask("git reset --hard")
    assert (claude.repository / "src/a.py").read_text() == "one = 1\n"
