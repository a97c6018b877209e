"""What each host is told for each kind of decision, in the one form that reference measurements say it honours; one table for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guards.hook.call import WORKS_IN
from guards.hook.hosts import HOSTS, find, gemini
from policy.model import Decision
from tests.guards.hook.payloads import SHAPES, payload, raw

SHARED = Path(__file__).resolve().parents[3].parent / "shared/hosts/payloads"
DENY = Decision("deny", "git/x", "it loses a.py", note="for the person")
ASK = DENY.replace(action="ask")
REWRITE = Decision("rewrite", "limits/uv", rewrite="W")
ADVICE = Decision(advice=("Prefer rg",))
ALLOW = Decision("allow")
WAY_ON = " The effect is refused, not the spelling. How this was judged: `gatepost explain COMMAND`. [git/x]"
D = "it loses a.py." + WAY_ON
A = "it loses a.py. [git/x]"
AD = "it loses a.py. This needs a person's decision, and this host cannot ask for one." + WAY_ON
QUIET = ("", "", 0)


def nested(note=None, **output):
    answer = {"systemMessage": note} if note else {}
    return {**answer, "hookSpecificOutput": {"hookEventName": "PreToolUse", **output}}


def said(decision, reason, note=None):
    return nested(note, permissionDecision=decision, permissionDecisionReason=reason)


def exit2(reason):
    return ("", reason + "\n", 2)


NOTE = "for the person"
NESTED_ADVICE = nested(additionalContext="Prefer rg")
TABLE = {
    # host: (deny, ask, rewrite, advice, allow, pass)
    "claude": (said("deny", D, NOTE), said("ask", A, NOTE), nested(updatedInput={"command": "W", "description": "test call"}), NESTED_ADVICE, nested(permissionDecision="allow"), QUIET),
    "codex": (said("deny", D, NOTE), said("deny", AD, NOTE), QUIET, NESTED_ADVICE, QUIET, QUIET),
    "kimi": (exit2(D), exit2(AD), QUIET, QUIET, QUIET, QUIET),
    "gemini": ({"decision": "deny", "reason": D, "systemMessage": NOTE}, {"decision": "deny", "reason": AD, "systemMessage": NOTE}, QUIET, QUIET, QUIET, QUIET),
    "qwen": (said("deny", D), said("ask", A), QUIET, QUIET, QUIET, QUIET),
    "copilot": (
        {"permissionDecision": "deny", "permissionDecisionReason": D},
        {"permissionDecision": "ask", "permissionDecisionReason": A},
        {"modifiedArgs": {"command": "W", "description": "test call"}},
        {"additionalContext": "Prefer rg"},
        {"permissionDecision": "allow"},
        QUIET,
    ),
    "copilot Pascal": (said("deny", D), said("ask", A), QUIET, NESTED_ADVICE, nested(permissionDecision="allow"), QUIET),
    "cursor": (
        {"permission": "deny", "user_message": D, "agent_message": D},
        {"permission": "deny", "user_message": AD, "agent_message": AD},
        *[{"permission": "allow"}] * 4,
    ),
    "windsurf": (exit2(D), exit2(AD), QUIET, QUIET, QUIET, QUIET),
    "opencode": ({"deny": D}, {"deny": AD}, {"command": "W"}, {"advice": "Prefer rg"}, QUIET, QUIET),
    "pi": ({"deny": D}, {"deny": AD}, {"command": "W"}, {"advice": "Prefer rg"}, QUIET, QUIET),
    "omp": ({"deny": D}, {"deny": AD}, {"command": "W"}, {"advice": "Prefer rg"}, QUIET, QUIET),
    "vscode": (said("deny", D, NOTE), said("ask", A, NOTE), QUIET, NESTED_ADVICE, QUIET, QUIET),
    "antigravity": ({"decision": "deny", "reason": D}, {"decision": "force_ask", "reason": A}, *[{"decision": "allow"}] * 4),
    "droid": (exit2(D), said("ask", A), QUIET, QUIET, QUIET, QUIET),
    "grok": (exit2(D), exit2(AD), QUIET, QUIET, QUIET, QUIET),
    "crush": (exit2(D), exit2(AD), QUIET, {"context": "Prefer rg"}, QUIET, QUIET),
    "goose": (exit2(D), exit2(AD), QUIET, QUIET, QUIET, QUIET),
    "cline": (
        {"cancel": True, "errorMessage": D},
        {"cancel": True, "errorMessage": AD},
        {"cancel": False},
        {"cancel": False, "contextModification": "Prefer rg"},
        {"cancel": False},
        {"cancel": False},
    ),
}  # fmt: skip
KINDS = {"deny": DENY, "ask": ASK, "rewrite": REWRITE, "advice": ADVICE, "allow": ALLOW, "pass": Decision()}


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch):
    monkeypatch.setattr(gemini, "_attended", lambda: False)


def program(host):
    return host.partition(" ")[0]


def shown(reply):
    return json.loads(reply.stdout) if reply.stdout and not reply.status and not reply.stderr else tuple(reply)


def test_the_table_covers_every_host():
    assert {program(host) for host in TABLE} == set(HOSTS)
    assert set(TABLE) == set(SHAPES)


@pytest.mark.parametrize("host", TABLE)
@pytest.mark.parametrize("kind", KINDS)
def test_each_decision_in_each_host_s_shape(hook, host, kind):
    expected = TABLE[host][list(KINDS).index(kind)]
    assert shown(hook(program(host), raw(host, "git x", "/r"), KINDS[kind])) == expected
    (request,) = hook.seen
    assert (request.text, request.cwd, request.host, request.tool) == ("git x", "/r", program(host), "shell")
    assert request.session


@pytest.mark.parametrize("host", TABLE)
@pytest.mark.parametrize("broken", ["cut off", "no command", "command is a number", "garbage"])
def test_what_cannot_be_read_is_never_silence(hook, host, broken):
    whole = raw(host, "git x", "/r")
    bad = {
        "cut off": whole[:-2],
        "no command": whole.replace(b'"git x"', b"null"),
        "command is a number": whole.replace(b'"git x"', b"7"),
        "garbage": b"git x",
    }
    reply = hook(program(host), bad[broken])
    asked = ("deny", "ask", "force_ask")
    answer = json.loads(reply.stdout) if reply.stdout else {}
    inner = answer.get("hookSpecificOutput", answer)
    words = (inner.get("permissionDecision"), inner.get("decision"), inner.get("permission"))
    assert reply.status == 2 or any(word in asked for word in words) or inner.get("cancel") is True or "deny" in inner
    assert "hook/input" in reply.stdout + reply.stderr
    assert (reply.status == 2) == (reply.stdout == "")
    assert hook.seen == []


@pytest.mark.parametrize("host", HOSTS)
def test_the_answer_of_a_broken_installation_blocks_or_asks(host):
    module = find(host)
    reply = module.render(Decision("ask" if module.ASKS else "deny", "self/broken", "broken"), None)
    assert "broken" in reply.stdout + reply.stderr
    assert reply.status in (0, 2), "the launcher passes only these on"


def test_gemini_may_ask_beside_a_terminal(hook, monkeypatch):
    monkeypatch.setattr(gemini, "_attended", lambda: True)
    assert json.loads(hook("gemini", raw("gemini", "x"), ASK).stdout)["decision"] == "ask"


def test_copilot_s_arguments_may_be_json_text(hook):
    made = payload("copilot", "git x")
    made["toolArgs"] = json.dumps(made["toolArgs"])
    hook("copilot", json.dumps(made).encode())
    assert hook.seen[0].text == "git x"


def test_gemini_s_own_folder_and_cursor_s_own_cwd(hook):
    hook("gemini", raw("gemini", "x", "/r", tool_input={"command": "x", "dir_path": "sub"}))
    hook("cursor", raw("cursor", "x", "/r", cwd="/elsewhere"))
    assert [request.cwd for request in hook.seen] == ["/r/sub", "/elsewhere"]


@pytest.mark.parametrize("host", TABLE)
def test_a_tool_that_is_not_ours_gets_the_host_s_word_for_no_opinion(hook, host):
    other = (
        raw(host, "git x", "/r")
        .replace(b"Bash", b"Other")
        .replace(b"run_shell_command", b"other")
        .replace(b'"bash"', b'"other"')
    )
    for name in (
        b"beforeShellExecution",
        b"pre_run_command",
        b"run_in_terminal",
        b"run_command",
        b"Execute",
        b"developer__shell",
        b"tool_call",
    ):
        other = other.replace(b'"' + name + b'"', b'"other"')
    if host != "grok":  # its payload names no tool
        assert shown(hook(program(host), other, DENY)) == TABLE[host][-1]
        assert hook.seen == []


@pytest.mark.parametrize(
    ("called", "host"),
    [
        (called, host)
        for called in ("claude", "windsurf", "opencode", "cline")
        for host in TABLE
        if host not in ("omp", "opencode", "pi")
        and (host != "copilot Pascal" or called == "claude")  # nothing in that payload tells it from others
    ],
)
def test_a_hook_called_by_another_host_than_it_was_registered_for_answers_that_one(hook, called, host):
    same_shape = {"claude": ("codex", "kimi", "copilot Pascal")}.get(called, ())
    reply = shown(hook(called, raw(host, "git x", "/r"), DENY.replace(note="")))
    expected = TABLE["claude" if host in same_shape else host][0]
    if isinstance(expected, dict):
        expected = {key: value for key, value in expected.items() if key != "systemMessage"}
    assert reply == expected


def test_several_commands_of_cline_are_judged_each(hook):
    call = {"name": "run_commands", "input": {"commands": ["ls", "git x"]}}
    hook("cline", raw("cline", "", tool_call=call))
    assert [request.text for request in hook.seen] == ["ls", "git x"]


CAPTURED = {
    "claude-PreToolUse-Bash.json": "claude",
    "claude-PreToolUse-Bash-subagent.json": "claude",
    "claude-PermissionRequest-Bash.json": "claude",
    "codex-PreToolUse-Bash.json": "codex",
    "kimi-code-PreToolUse-Bash.json": "kimi",
    "gemini-BeforeTool-run_shell_command.json": "gemini",
    "qwen-PreToolUse-run_shell_command.json": "qwen",
    "copilot-preToolUse-bash.json": "copilot",
    "copilot-PascalPreToolUse-Bash.json": "copilot",
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the captured payloads are not beside this repository")
@pytest.mark.parametrize("name", CAPTURED)
def test_payloads_captured_from_the_real_clients_are_read(hook, name):
    reply = hook(CAPTURED[name], (SHARED / name).read_bytes(), DENY)
    (request,) = hook.seen
    assert request.text == "echo ORIGINAL_RAN > ran.txt; cat ran.txt"
    assert request.cwd == "/home/dev/work/app"
    assert reply.stdout or reply.status == 2


@pytest.mark.skipif(not SHARED.is_dir(), reason="the captured payloads are not beside this repository")
@pytest.mark.parametrize(
    "name", ["PostToolUse", "PostToolBatch", "SessionStart", "SessionEnd", "Stop", "UserPromptSubmit"]
)
def test_captured_events_that_ask_for_nothing_are_left_alone(hook, name):
    assert tuple(hook("claude", (SHARED / f"claude-{name}.json").read_bytes(), DENY)) == QUIET


def arguments_of(payload):
    """The object in a payload that holds the command."""
    if isinstance(payload, dict):
        if payload.get("command") == "git x" or payload.get("commands") == ["git x"]:
            return payload
        return next((found for value in payload.values() if (found := arguments_of(value)) is not None), None)
    return None


OF_ITS_OWN = ("antigravity", "cursor", "windsurf")
"""Hosts that name the folder of a command themselves, beside it."""


@pytest.mark.parametrize(
    ("named", "seen"),
    [("/other/repo", "/other/repo"), ("sub", "/r/sub"), ("../b", "/r/../b"), ("~/x", None), ("", "/r"), (None, "/r")],
)
@pytest.mark.parametrize("member", WORKS_IN)
@pytest.mark.parametrize("host", [host for host in SHAPES if host not in OF_ITS_OWN])
def test_a_tool_s_own_folder_is_where_the_command_is_judged(hook, host, member, named, seen):
    body = payload(host, "git x", "/r")
    found = arguments_of(body)
    assert found is not None
    found[member] = named
    hook(program(host), json.dumps(body).encode(), Decision())
    assert [request.cwd for request in hook.seen] == [seen]
