"""Every decision in the shape that the host honours, and silence where there is nothing to say."""

from __future__ import annotations

import json

import pytest

from guards.hook.call import Reply
from guards.hook.judge import Verdict
from policy.model import Decision
from tests.guards.hook.payloads import raw

DENY = Decision(
    "deny",
    "git/reset-hard",
    "it would lose a.py in /r",
    ("git stash push",),
    advice=("Commit first",),
    note="for the person",
)
ASK = DENY.replace(action="ask")
REWRITE = Decision("rewrite", "limits/uv", "heavy", rewrite="with-limits -- uv run x")
ADVICE = Decision(advice=("Prefer rg",))
TOLD = "it would lose a.py in /r. Run instead: `git stash push`. Commit first."


def output(reply):
    assert reply.status == 0
    assert reply.stderr == ""
    return json.loads(reply.stdout)


def inner(reply):
    return output(reply)["hookSpecificOutput"]


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_no_opinion_is_silence(hook, host):
    assert hook(host, raw(host, "ls -la")) == Reply()


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_a_deny_says_what_why_instead_and_ends_in_the_rule(hook, host):
    answer = inner(hook(host, raw(host, "git reset --hard"), DENY))
    assert answer["hookEventName"] == "PreToolUse"
    assert answer["permissionDecision"] == "deny"
    reason = answer["permissionDecisionReason"]
    assert reason.startswith(TOLD)
    assert "gatepost explain" in reason
    assert reason.endswith("[git/reset-hard]")


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_the_note_reaches_the_person_and_never_the_model(hook, host):
    said = output(hook(host, raw(host, "git reset --hard"), DENY))
    assert said.pop("systemMessage") == "for the person"
    assert "for the person" not in json.dumps(said)


def test_claude_asks_and_codex_which_cannot_denies_and_says_so(hook):
    assert inner(hook("claude", raw("claude", "x"), ASK))["permissionDecision"] == "ask"
    answer = inner(hook("codex", raw("codex", "x"), ASK))
    assert answer["permissionDecision"] == "deny"
    assert "cannot ask" in answer["permissionDecisionReason"]


def test_a_rewrite_on_claude_replaces_the_whole_input_and_approves_nothing(hook):
    answer = inner(hook("claude", raw("claude", "uv run x"), REWRITE))
    assert answer == {
        "hookEventName": "PreToolUse",
        "updatedInput": {"command": "with-limits -- uv run x", "description": "test call"},
    }


def test_a_rewrite_travels_beside_an_ask_but_not_beside_a_deny(hook):
    beside = REWRITE.replace(action="ask", rule="a/b")
    assert inner(hook("claude", raw("claude", "x"), beside))["updatedInput"]["command"] == REWRITE.rewrite
    assert "updatedInput" not in inner(hook("claude", raw("claude", "x"), beside.replace(action="deny")))


def test_codex_gets_no_rewrite_because_it_takes_one_only_with_an_approval(hook):
    assert hook("codex", raw("codex", "uv run x"), REWRITE) == Reply()


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_advice_alone_decides_nothing(hook, host):
    assert inner(hook(host, raw(host, "grep x"), ADVICE)) == {
        "hookEventName": "PreToolUse",
        "additionalContext": "Prefer rg",
    }


def test_allow_is_given_only_where_the_host_knows_it(hook):
    assert inner(hook("claude", raw("claude", "ls"), Decision("allow")))["permissionDecision"] == "allow"
    assert hook("codex", raw("codex", "ls"), Decision("allow")) == Reply()


@pytest.mark.parametrize("tool", ["Task", "WebFetch", "mcp__x__y", "Glob"])
def test_a_tool_that_is_not_ours_is_left_alone(hook, tool):
    assert hook("claude", raw("claude", "x", tool_name=tool), DENY) == Reply()
    assert hook.seen == []


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "PostToolUse", "UserPromptSubmit"])
def test_an_event_that_asks_no_permission_is_left_alone(hook, event):
    assert hook("claude", raw("claude", "git reset --hard", hook_event_name=event), DENY) == Reply()


def test_a_permission_request_is_answered_in_its_own_form(hook):
    answer = inner(hook("claude", raw("claude", "x", hook_event_name="PermissionRequest"), DENY))
    assert answer["hookEventName"] == "PermissionRequest"
    assert answer["decision"]["behavior"] == "deny"
    assert answer["decision"]["message"].startswith(TOLD)
    assert hook("claude", raw("claude", "x", hook_event_name="PermissionRequest"), ASK.replace(note="")) == Reply()


def test_an_event_of_tomorrow_is_judged_and_blocked_by_exit_status(hook):
    reply = hook("claude", raw("claude", "x", hook_event_name="PreToolUseV2"), DENY)
    assert (reply.stdout, reply.status) == ("", 2)
    assert reply.stderr.startswith(TOLD)


def test_what_reaches_the_judge(hook, monkeypatch):
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    monkeypatch.setenv("HOME", "/home/dev")
    hook("claude", raw("claude", "git status", "/r"))
    request = hook.seen[0]
    assert (request.text, request.cwd, request.home, request.host, request.dialect) == (
        "git status",
        "/r",
        "/home/dev",
        "claude",
        "zsh",
    )
    assert request.session == "c9fa8643-2f54-47a0-92f1-c27e6d63fd43"
    assert request.environment["SHELL"] == "/usr/bin/zsh"


def test_fish_is_no_dialect_of_claude_but_one_of_codex(hook, monkeypatch):
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    hook("claude", raw("claude", "x"))
    hook("codex", raw("codex", "x"))
    assert [request.dialect for request in hook.seen] == ["unknown", "fish"]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Write", {"file_path": "/r/a", "content": "x"}, ("write", "/r/a", "x")),
        ("Edit", {"file_path": "/r/a", "old_string": "x", "new_string": "y"}, ("edit", "/r/a", "y")),
        (
            "MultiEdit",
            {"file_path": "/r/a", "edits": [{"new_string": "y"}, {"new_string": "z"}]},
            ("edit", "/r/a", "y\nz"),
        ),
        ("NotebookEdit", {"notebook_path": "/r/n", "new_source": "y"}, ("edit", "/r/n", "y")),
        ("Read", {"file_path": "/r/.env"}, ("read", "/r/.env", "")),
        ("Grep", {"pattern": "x", "path": "/r/.env"}, ("read", "/r/.env", "")),
    ],
)
def test_file_tools_are_judged_by_path(hook, tool, arguments, expected):
    answer = inner(hook("claude", raw("claude", "", tool_name=tool, tool_input=arguments), DENY))
    assert answer["permissionDecision"] == "deny"
    request = hook.seen[0]
    assert (request.tool, request.path, request.content) == expected


def test_a_patch_of_codex_is_judged_file_by_file_and_the_strictest_wins(hook):
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+one\n+two\n*** Delete File: c.py\n*** End Patch\n"
    asked = []

    def judge(request, _layout):
        asked.append((request.tool, request.path, request.content))
        return Verdict(DENY if request.path == "c.py" else Decision())

    hook.judge = judge
    answer = inner(hook("codex", raw("codex", "", tool_name="apply_patch", tool_input={"command": patch})))
    assert asked == [("edit", "a.py", "y"), ("write", "b.py", "one\ntwo"), ("edit", "c.py", "")]
    assert answer["permissionDecision"] == "deny"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [({"cmd": "ls"}, "ls"), ({"command": ["bash", "-lc", "git status; ls"]}, "bash -lc 'git status; ls'"), ({"command": ["echo", "a'b"]}, "echo 'a'\"'\"'b'")],
)  # fmt: skip
def test_command_may_be_called_cmd_and_may_be_an_argv(hook, arguments, text):
    hook("codex", raw("codex", "", tool_input=arguments))
    assert hook.seen[0].text == text
