"""The line for a status bar: counts since midnight, the session's own, whether the guard stands; the front's bytes read back."""

from __future__ import annotations

import json
import os
import time

import pytest
from click.testing import CliRunner

from guards import audit, history, sessions, silent
from guards import layout as places
from guards.cli.main import main
from guards.cli.statusline import told
from policy.model import Decision, Request

NOON = time.mktime((2026, 6, 1, 12, 0, 0, 0, 0, -1))
NAMES = {"deny": "refused", "ask": "asked", "pass": "passed", "advice": "passed"}


@pytest.fixture
def at(layout, monkeypatch):
    """The layout, at noon; `at(hours, action)` logs what was decided so many hours before that."""
    monkeypatch.setattr(places, "_baked", [layout])
    os.makedirs(layout.state, exist_ok=True)

    def log(hours, action, session="s1", **more):
        monkeypatch.setattr(time, "time", lambda: NOON - hours * 3600)
        audit.record(layout, Request(text="x", session=session), Decision(action, "git/reset-hard", "r"), **more)
        monkeypatch.setattr(time, "time", lambda: NOON)

    log.layout = layout
    monkeypatch.setattr(time, "time", lambda: NOON)
    monkeypatch.setattr(
        time, "localtime", lambda given=None, real=time.localtime: real(NOON if given is None else given)
    )
    return log


def said(*words, stdin=""):
    result = CliRunner().invoke(main, ["statusline", *words], input=stdin)
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) == 1
    return result.output


def bytes_for(*hours):
    return bytes(silent.FIRST + int(NOON // 3600 - hour) % silent.AROUND for hour in hours)


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (b"", 0),
        (bytes_for(30, 13, 11, 5, 5, 0), 4),
        (bytes_for(100, 13), 0),
        (bytes_for(*[1] * 200_000), 200_000),
        (b"...", None),
        (b"..." + bytes_for(20, 2, 1), 2),
        (b"..." + bytes_for(2, 1), None),
    ],
)
def test_the_bytes_of_today_are_counted(at, content, count):
    with open(silent.path(at.layout), "wb") as file:
        file.write(content)
    os.utime(silent.path(at.layout), (NOON, NOON))
    assert silent.since(at.layout, NOON - 12 * 3600) == count
    assert silent.total(at.layout) == len(content)


def test_a_week_old_hour_is_not_taken_for_today(at):
    with open(silent.path(at.layout), "wb") as file:
        file.write(bytes_for(silent.AROUND))
    old = NOON - silent.AROUND * 3600
    os.utime(silent.path(at.layout), (old, old))
    assert silent.since(at.layout, NOON - 12 * 3600) == 0


def test_only_today_counts_and_each_session_its_own(at):
    at(20, "deny")
    at(3, "ask", session="s2")
    for action in NAMES:
        at(1, action)
    at(0, "deny", observed=True)
    now = told(at.layout, "s1")
    assert now["today"] == {"silent": 0, "passed": 3, "asked": 2, "refused": 1}
    assert now["of_session"] == {"passed": 3, "asked": 1, "refused": 1}
    assert now["last_refused"] == "git/reset-hard"
    assert told(at.layout, "")["of_session"] is None


@pytest.mark.parametrize("stdin", ["", "{", "[]", '{"session_id": 3}', '{"session_id": null}', "\x00"])
def test_whatever_the_host_sends_there_is_a_line(at, stdin):
    at(1, "deny")
    assert "1 refused" in said(stdin=stdin)
    assert json.loads(said("--json", stdin=stdin))["session"] == ""


def test_a_payload_names_the_session_and_its_name_is_quoted(at, monkeypatch):
    at(1, "ask", session="a\x1b[2J")
    monkeypatch.setattr(sessions, "alive", lambda _mark: True)
    sessions.enter(at.layout, sessions.Session("a\x1b[2J", "evil\x1b[2J\u202e", "1:1", "/", NOON))
    line = said(stdin=json.dumps({"session_id": "a\x1b[2J", "cwd": "/"}))
    assert "1 asked" in line.split("session")[1]
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert "s1" in said("--session", "s1", "--json")


def test_without_an_installation_it_says_broken(at):
    assert said().startswith("gatepost broken")
    assert json.loads(said("--json"))["detail"]


def test_a_standing_guard_says_so(deployed, monkeypatch):
    monkeypatch.setattr(places, "_baked", [deployed])
    assert said().startswith("gatepost guarding")


def test_the_log_is_read_from_its_end(at, monkeypatch):
    """Blocks may end anywhere in a line."""
    monkeypatch.setattr(history, "BLOCK", 7)
    for hours in (30, 5, 4, 3):
        at(hours, "pass")
    with open(f"{at.layout.state}/log.jsonl", "a", encoding="ascii") as file:
        file.write("[]\n\n{")
    found = [round((NOON - entry["time"]) / 3600) for entry in history.since(at.layout, NOON - 12 * 3600)]
    assert found == [3, 4, 5]
    assert [round((NOON - entry["time"]) / 3600) for entry in history.entries(at.layout)] == [30, 5, 4, 3]
