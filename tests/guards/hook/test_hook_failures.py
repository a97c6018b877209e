"""What cannot be read or judged ends in an explicit ask, or deny, in the host's shape: never in silence, never in a traceback."""

from __future__ import annotations

import json
import os

import pytest

from guards.hook import document
from guards.hook.call import Reply, Unreadable
from guards.hook.main import Overdue
from policy.model import Decision
from tests.guards.hook.payloads import payload, raw

GOOD = raw("claude", "ls")


def malformed(host):
    good = raw(host, "ls")
    return {
        "empty": b"",
        "blank": b" \n",
        "no JSON": b"git reset --hard",
        "cut off": good[:-9],
        "cut off in a string": good[:-30],
        "trailing garbage": good + b" x",
        "two documents": good + good,
        "an array": b"[" + good + b"]",
        "a number": b"5",
        "NUL byte": good.replace(b'"ls"', b'"l\0s"'),
        "NUL escape": raw(host, "l\0s"),
        "not UTF-8": good.replace(b'"ls"', b'"l\xffs"'),
        "NaN": good.replace(b'"ls"', b"NaN"),
        "too deep": b"[" * 100_000,
        "a comment": b"// hello\n" + good,
        "command is a number": raw(host, 5),
        "command is a list of numbers": raw(host, [1, 2]),
        "command is an empty list": raw(host, []),
        "command is a list of command lines": raw(host, ["rm -rf ~/", "ls"]),
        "tool_name is empty": raw(host, "ls", tool_name=""),
        "event is empty": raw(host, "ls", hook_event_name=""),
        "command is null": good.replace(b'"ls"', b"null"),
        "no command": raw(host, "ls", tool_input={}),
        "tool_input is null": good.replace(json.dumps(payload(host, "ls")["tool_input"]).encode(), b"null"),
        "tool_input is a text": raw(host, "ls", tool_input="ls"),
        "no tool_input": raw(host, "ls", tool_input=None),
        "no tool_name": raw(host, "ls", tool_name=None),
        "tool_name is a list": raw(host, "ls", tool_name=["Bash"]),
        "event is a number": raw(host, "ls", hook_event_name=1),
        "relative cwd": raw(host, "ls", cwd="r"),
        "cwd is a number": raw(host, "ls", cwd=7),
    }


MALFORMED = sorted(malformed("claude"))


def decision_of(reply):
    assert "Traceback" not in reply.stdout + reply.stderr
    assert reply.status == 0
    return json.loads(reply.stdout)["hookSpecificOutput"]


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_input_is_an_ask_that_says_so(hook, name):
    answer = decision_of(hook("claude", malformed("claude")[name]))
    assert answer["permissionDecision"] == "ask"
    assert "could not read the request" in answer["permissionDecisionReason"]
    assert answer["permissionDecisionReason"].endswith("[hook/input]")
    assert hook.seen == []


@pytest.mark.parametrize("name", [name for name in MALFORMED if name != "event is a number"])
def test_malformed_input_is_a_deny_on_a_host_that_cannot_ask(hook, name):
    answer = decision_of(hook("codex", malformed("codex")[name]))
    assert answer["permissionDecision"] == "deny"
    assert answer["permissionDecisionReason"].endswith("[hook/input]")


def test_late_input_is_an_ask(hook, monkeypatch):
    monkeypatch.setattr(document, "WAIT", 0.05)
    answer = decision_of(hook("claude", GOOD[:-1], close=False))
    assert answer["permissionDecision"] == "ask"
    assert "not complete after" in answer["permissionDecisionReason"]


def test_a_pipe_that_the_host_leaves_open_is_answered_when_the_document_is_whole(hook, monkeypatch):
    monkeypatch.setattr(document, "WAIT", 30.0)
    assert hook("claude", GOOD + b"\n", close=False) == Reply()
    assert [request.text for request in hook.seen] == ["ls"]


def test_oversized_input_is_an_ask_and_is_taken_whole_from_the_pipe(hook, monkeypatch):
    monkeypatch.setattr(document, "LIMIT", 1 << 20)
    answer = decision_of(hook("claude", raw("claude", "x" * (3 << 20))))
    assert answer["permissionDecision"] == "ask"
    assert document.TOO_LONG in answer["permissionDecisionReason"]
    with pytest.raises(Unreadable, match="longer"):
        document.read_document(None, b"x" * ((1 << 20) + 1))


def test_a_large_document_that_fits_is_judged(hook):
    assert hook("claude", raw("claude", "x" * (3 << 20))) == Reply()
    assert len(hook.seen[0].text) == 3 << 20


class CompiledError(Exception):
    """Named as policy.compiled's."""


@pytest.mark.parametrize(
    ("error", "rule"),
    [
        (CompiledError("policy.cpython-311 is of another version"), "hook/policy"),
        (ZeroDivisionError("x"), "hook/failure"),
        (RecursionError(), "hook/failure"),
        (MemoryError(), "hook/failure"),
        (KeyboardInterrupt(), "hook/failure"),
        (SystemExit(0), "hook/failure"),
        (Overdue(), "hook/overdue"),
    ],
)
@pytest.mark.parametrize("host", ["claude", "codex"])
def test_a_failure_while_judging_is_never_silent(hook, host, error, rule):
    answer = decision_of(hook(host, raw(host, "ls"), error))
    assert answer["permissionDecision"] == ("ask" if host == "claude" else "deny")
    assert answer["permissionDecisionReason"].endswith(f"[{rule}]")
    assert hook.log()[-1]["error"][0] == type(error).__name__


def test_a_failure_message_cannot_carry_control_characters(hook):
    answer = decision_of(hook("claude", GOOD, ValueError("a\x1b[2J\u202eb\nc" + "d" * 500)))
    reason = answer["permissionDecisionReason"]
    assert "\x1b" not in reason
    assert "\u202e" not in reason
    assert "\n" not in reason
    assert len(reason) < 400


def test_a_log_that_cannot_be_written_turns_silence_into_a_question_but_keeps_a_deny(hook, layout):
    os.makedirs(layout.state)
    os.symlink("/nowhere/else", f"{layout.state}/log.jsonl")
    answer = decision_of(hook("claude", GOOD))
    assert answer["permissionDecision"] == "ask"
    assert answer["permissionDecisionReason"].endswith("[hook/log]")
    answer = decision_of(hook("claude", GOOD, Decision("deny", "git/x", "no")))
    assert answer["permissionDecision"] == "deny"
    assert answer["permissionDecisionReason"].endswith("[git/x]")
