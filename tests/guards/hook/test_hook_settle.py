"""The log, grants for what a person lifts, observation, and the stop after many refusals."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from guards import audit, grants, kin, sessions
from guards.hook.call import Reply
from guards.hook.judge import Grantable, Verdict
from guards.hook.settle import TRY
from guards.judging import world
from policy.model import Decision, Request
from tests.guards.hook.payloads import raw

DENY = Decision("deny", "git/x", "it loses a.py")
ASK = DENY.replace(action="ask")


@pytest.fixture
def left(monkeypatch):
    """Grants as they are left."""
    found = []
    monkeypatch.setattr(
        grants, "leave", lambda layout, rule, argv, cwd, session: found.append((rule, argv, cwd, session))
    )
    monkeypatch.delenv("GATEPOST_SESSION", raising=False)
    return found


def test_each_decision_is_one_line_of_a_private_log(hook, layout):
    hook("claude", raw("claude", "ls"), Decision())
    hook("claude", raw("claude", "API_TOKEN=hunter2 git x"), DENY)
    path = f"{layout.state}/log.jsonl"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(layout.state).st_mode) == 0o700
    passed, denied = hook.log()
    assert (passed["action"], passed["command"], passed["host"], passed["door"]) == ("pass", "ls", "claude", "hook")
    assert (denied["action"], denied["rule"], denied["command"]) == ("deny", "git/x", "API_TOKEN=[hidden] git x")
    assert denied["cwd"] == "/home/dev/work/app"


def test_a_long_command_is_cut_in_the_log_and_its_length_told(hook):
    hook("claude", raw("claude", "x" * 9000))
    assert len(hook.log()[0]["command"]) == 2000
    assert hook.log()[0]["length"] == 9000


def test_a_full_log_is_set_aside(hook, layout, monkeypatch):
    monkeypatch.setattr("guards.audit.FULL", 1000)
    for number in range(13):
        hook("claude", raw("claude", f"echo {number}"))
    old = Path(layout.state, "log.1.jsonl").read_text().splitlines()
    lines = hook.log() + [json.loads(line) for line in old]
    assert {line["command"] for line in lines} <= {f"echo {number}" for number in range(13)}
    assert 0 < len(lines) < 13


def test_a_log_that_another_process_has_set_aside_already_is_left(layout, monkeypatch):
    os.makedirs(layout.state)
    new, old = Path(layout.state, "log.jsonl"), Path(layout.state, "log.1.jsonl")
    new.write_text("new\n")
    old.write_text("old\n")
    audit._set_aside(layout.state, old.stat().st_ino)
    assert (new.read_text(), old.read_text()) == ("new\n", "old\n")
    new.unlink()
    audit._set_aside(layout.state, old.stat().st_ino)
    assert old.read_text() == "old\n"


def test_many_processes_write_whole_lines(layout):
    os.makedirs(layout.state)
    children = []
    for child in range(4):
        if (pid := os.fork()) == 0:
            for number in range(50):
                audit.record(layout, Request(text=f"{child} {number} " + "x" * 1900), Decision())
            os._exit(0)
        children.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * 4
    lines = Path(layout.state, "log.jsonl").read_text().splitlines()
    assert len({json.loads(line)["command"] for line in lines}) == len(lines) == 200


def test_an_ask_leaves_a_grant_only_where_a_person_can_answer_it(hook, left):
    verdict = Verdict(ASK, asked=(Grantable("git/x", ("git", "x"), "/r"),))
    hook("claude", raw("claude", "git x"), verdict)
    assert left == [("git/x", ("git", "x"), "/r", "c9fa8643-2f54-47a0-92f1-c27e6d63fd43")]
    hook("codex", raw("codex", "git x"), verdict)
    assert len(left) == 1


def test_an_escape_leaves_a_grant_on_every_host(hook, left, monkeypatch):
    monkeypatch.setenv("GATEPOST_SESSION", "s7")
    verdict = Verdict(Decision(), escaped=(Grantable("git/x", ("git", "x"), "/r"),))
    assert hook("codex", raw("codex", "git x"), verdict) == Reply()
    assert left == [("git/x", ("git", "x"), "/r", "s7")]


def test_a_deny_leaves_no_grant_for_what_it_refuses(hook, left):
    hook("claude", raw("claude", "git x"), Verdict(DENY))
    assert left == []


def test_what_is_only_observed_is_logged_and_not_answered(hook):
    assert hook("claude", raw("claude", "git x"), Verdict(DENY, observed=True)) == Reply()
    (line,) = hook.log()
    assert (line["action"], line["observed"]) == ("deny", True)


def test_the_third_refusal_of_a_rule_in_a_session_tells_the_person_and_stops_the_model(hook):
    answers = [json.loads(hook("claude", raw("claude", f"git x {n}"), DENY).stdout) for n in range(3)]
    assert ["systemMessage" in answer for answer in answers] == [False, False, True]
    assert "git/x refused 3 times" in answers[2]["systemMessage"]
    assert "stop trying other spellings" in answers[2]["hookSpecificOutput"]["permissionDecisionReason"]
    other = json.loads(hook("claude", raw("claude", "git x", session_id="another"), DENY).stdout)
    assert "systemMessage" not in other
    another = json.loads(hook("claude", raw("claude", "git y"), DENY.replace(rule="git/y")).stdout)
    assert "systemMessage" not in another


def test_the_agent_that_called_is_seen_by_others_and_not_by_itself(hook, layout, monkeypatch):
    monkeypatch.delenv("GATEPOST_SESSION", raising=False)
    os.makedirs(layout.runtime, mode=0o700)
    agent = f"{os.getpid()}:{kin.stat(os.getpid())[2]}"
    monkeypatch.setattr(kin, "ancestors", lambda: iter([(os.getpid(), "agent", agent)]))
    hook("claude", raw("claude", "git status", "/r"))
    (entered,) = sessions.live(layout)
    assert (entered.id, entered.directory) == ("c9fa8643-2f54-47a0-92f1-c27e6d63fd43", "/r")
    assert world(Request(), layout).sessions("/r") == 0
    monkeypatch.setattr(kin, "ancestors", lambda: iter(()))
    assert world(Request(), layout).sessions("/r") == 1
    assert world(Request(), layout).sessions("/elsewhere") == 0


def test_a_session_of_gatepost_run_and_a_try_of_the_doctor_are_not_entered(hook, layout, monkeypatch):
    hook("claude", raw("claude", "git status", session_id=TRY))
    monkeypatch.setenv("GATEPOST_SESSION", "s7")
    hook("claude", raw("claude", "git status"))
    assert sessions.live(layout) == []
