"""The log read back: filters, JSON, escaped lines; why the last command was refused."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from guards import audit, history
from guards import layout as places
from guards.cli.main import main
from guards.hook.settle import TRY
from guards.install.demo import DEMO
from policy.model import Decision, Finding, Request


@pytest.fixture
def logged(layout, monkeypatch):
    monkeypatch.setattr(places, "_baked", [layout])

    def add(text, action="pass", rule="", **more):
        request = Request(text=text, cwd="/r", host="claude", session=more.pop("session", "s1"))
        audit.record(layout, request, Decision(action, rule, more.pop("reason", "it loses a.py"), **more))

    return add


def run(*words, status=0):
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == status, result.output
    return result.output


def test_log_shows_the_newest_last_and_filters(logged):
    logged("ls")
    logged("git reset --hard", "deny", "git/reset-hard", findings=(Finding("git/reset-hard", "deny", "x"),))
    logged("git push", "ask", "git/push", session="s2")
    lines = run("log").splitlines()
    assert [line.split()[2] for line in lines] == ["pass", "deny", "ask"]
    assert [line.split()[3] for line in run("log", "--denied").splitlines()] == ["git/reset-hard"]
    assert len(run("log", "--rule", "git").splitlines()) == 2
    assert len(run("log", "--session", "s2").splitlines()) == 1
    assert len(run("log", "-n", "1").splitlines()) == 1
    entry = json.loads(run("log", "--denied", "--json"))
    assert (entry["command"], entry["findings"]) == ("git reset --hard", [["git/reset-hard", "deny"]])


def test_a_command_cannot_write_on_the_terminal(logged):
    logged("echo \x1b[2J\u202e\nfake line", "deny", "x/y")
    shown = run("log")
    assert len(shown.splitlines()) == 1
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\x1b" not in run("why")


@pytest.mark.parametrize(
    ("argv", "kept"),
    [
        (("git", "commit", "-m", "one\ntwo"), ["git", "commit", "-m", "one\ntwo"]),
        (("sshpass", "-p", "x\ny", "ssh"), ["sshpass", "-p", "[hidden]", "ssh"]),
        (("git", ""), ["git", ""]),
    ],
)
def test_the_words_of_a_shim_stay_apart(layout, argv, kept):
    audit.record(layout, Request(argv=argv, door="shim"), Decision("deny", "x/y", "r"))
    (entry,) = history.entries(layout)
    assert entry["argv"] == kept


def test_a_broken_line_is_passed_over(logged, layout):
    logged("ls")
    with open(f"{layout.state}/log.jsonl", "a", encoding="ascii") as file:
        file.write('{"time": 1\n[]\n\n')
    logged("pwd")
    assert len(run("log").splitlines()) == 2


def test_an_empty_log_says_so(layout, monkeypatch):
    monkeypatch.setattr(places, "_baked", [layout])
    assert "nothing is logged" in run("log")
    assert run("log", "--json") == ""
    assert "nothing was refused" in run("why", status=1)


def test_why_tells_the_last_refusal_and_its_rule(logged):
    logged("git reset --hard", "deny", "git/reset-hard", instead=("git stash push",))
    logged("ls")
    for ours in (TRY, DEMO):
        logged("rm -rf /", "deny", "files/delete-home", session=ours)
    shown = run("why")
    for part in ("refused", '"git reset --hard"', '"/r"', "it loses a.py", "git stash push", "git/reset-hard: "):
        assert part in shown
    told = json.loads(run("why", "git/reset-hard", "--json"))
    assert told["entry"]["rule"] == "git/reset-hard"
    assert told["rule"]["instead"]
    assert "no rule has this id" in run("why", "no/such", status=1)
