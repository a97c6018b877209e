"""What went wrong between other guards and their hosts, as tests of ours: one channel, one document, the right form, in time."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from guards.hook import main as hook_main
from guards.hook.hosts import HOSTS
from guards.install import deploy
from guards.install import hosts as installers
from policy.model import Decision
from shims.generate import hook_path
from tests.guards.hook.payloads import SHAPES, raw

DENY = Decision("deny", "git/x", "it loses a.py", advice=("A",), note="N")
KINDS = [
    DENY,
    DENY.replace(action="ask", rewrite="W"),
    DENY.replace(action="deny", reason=""),
    Decision("rewrite", "limits/uv", rewrite="W", advice=("A",), note="N"),
    Decision(advice=("A",)),
    Decision(),
]


@pytest.mark.parametrize("host", SHAPES)
@pytest.mark.parametrize("decision", KINDS, ids=range(len(KINDS)))
def test_one_channel_and_at_most_one_document(hook, host, decision):
    reply = hook(host.partition(" ")[0], raw(host, "x"), decision)
    if reply.status == 2:
        assert reply.stdout == ""
        assert reply.stderr.strip(), "an empty reason makes some hosts drop the block"
    else:
        assert reply.status == 0
        assert reply.stderr == ""
        if reply.stdout:
            assert isinstance(json.loads(reply.stdout), dict)
            assert reply.stdout.startswith("{")


@pytest.mark.parametrize("host", SHAPES)
def test_a_rewrite_or_advice_is_never_an_approval(hook, host):
    for decision in KINDS[3:5]:
        reply = hook(host.partition(" ")[0], raw(host, "x"), decision)
        answer = json.loads(reply.stdout or "{}")
        neutral = host in ("cursor", "antigravity")  # whose word for no opinion it is
        if not neutral:
            assert "allow" not in reply.stdout
        if any(key in reply.stdout for key in ("updatedInput", "modifiedArgs", "tool_input")):
            assert (
                answer.get("permissionDecision", answer.get("hookSpecificOutput", {}).get("permissionDecision")) is None
            )


@pytest.mark.parametrize("host", ["claude", "codex", "qwen", "vscode", "copilot Pascal"])
def test_the_event_is_named_in_every_nested_answer(hook, host):
    for decision in KINDS:
        reply = hook(host.partition(" ")[0], raw(host, "x"), decision)
        answer = json.loads(reply.stdout or "{}")
        assert set(answer) <= {"hookSpecificOutput", "systemMessage"}
        if "hookSpecificOutput" in answer:
            assert answer["hookSpecificOutput"]["hookEventName"] == "PreToolUse"


def test_codex_gets_no_key_that_it_does_not_know(hook):
    known = {"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext"}
    for decision in KINDS:
        answer = json.loads(hook("codex", raw("codex", "x"), decision).stdout or "{}")
        assert set(answer.get("hookSpecificOutput", {})) <= known
        assert answer.get("hookSpecificOutput", {}).get("permissionDecision") in (None, "deny")


def test_a_payload_of_a_subagent_is_judged_like_any_other(hook):
    reply = hook("claude", raw("claude", "git x", agent_id="a9bc4c111078c6fb5", agent_type="general-purpose"), DENY)
    assert [request.agent for request in hook.seen] == ["general-purpose"]
    assert json.loads(reply.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


WAIT_BY_THEMSELVES = {"cline", "grok", "windsurf"}
"""Hosts whose patience is not ours to set."""


def test_our_patience_ends_before_any_host_s(layout, tmp_path):
    told = set()
    for name in installers.INSTALLERS:
        where = installers.registration(name, layout, str(tmp_path), "user", {})
        text = json.dumps(getattr(where, "entry", "")) + getattr(where, "block", "") + getattr(where, "content", "")
        for key in ('"timeout": ', "timeout = ", '"timeoutSec": ', "timeout: "):
            if key in text:
                given = int("".join(c for c in text.partition(key)[2][:7] if c.isdigit()))
                assert given / (1000 if given >= 1000 else 1) > hook_main.PATIENCE, name
                told.add(name)
    assert set(installers.INSTALLERS) - told == WAIT_BY_THEMSELVES


SLOW = """
import sys
sys.path.insert(0, {root!r})
from guards.hook import judge, main, settle
from guards.layout import Layout
main.PATIENCE = 0.2
def hang(request, layout):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass
settle.installed = hang
main.main(sys.argv[1], Layout.default({home!r}))
"""


def alarm_blocked():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


def alarm_ignored():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


@pytest.mark.parametrize("handed_on", [None, alarm_blocked, alarm_ignored])
@pytest.mark.parametrize(("host", "word"), [("claude", "ask"), ("codex", "deny")])
def test_a_judgement_that_never_ends_is_answered_in_time(tmp_path, host, word, handed_on):
    code = SLOW.format(root=str(Path(__file__).parents[3]), home=str(tmp_path))
    made = subprocess.run(
        [sys.executable, "-c", code, host],
        input=raw(host, "x"),
        capture_output=True,
        timeout=60,
        preexec_fn=handed_on,
    )
    answer = json.loads(made.stdout)["hookSpecificOutput"]
    assert answer["permissionDecision"] == word
    assert answer["permissionDecisionReason"].endswith("[hook/overdue]")


def test_an_answer_that_cannot_be_written_is_a_block(tmp_path):
    code = SLOW.replace("settle.installed = hang", "").format(root=str(Path(__file__).parents[3]), home=str(tmp_path))
    with open("/dev/full", "wb") as full:
        made = subprocess.run(
            [sys.executable, "-c", code, "claude"], input=b"", stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert made.returncode == 2
    assert b"could not write its answer" in made.stderr


def test_a_missing_module_of_a_host_is_a_block(tmp_path):
    code = SLOW.format(root=str(Path(__file__).parents[3]), home=str(tmp_path)).replace(
        "main.PATIENCE",
        "import guards.hook.hosts as hosts\nhosts.HOSTS['claude'] = 'guards.hook.hosts.gone'\nmain.PATIENCE",
    )
    made = subprocess.run(
        [sys.executable, "-c", code, "claude"], input=raw("claude", "x"), capture_output=True, timeout=60
    )
    assert (made.returncode, made.stdout) == (2, b"")
    assert made.stderr.endswith(b"[hook/failure]\n")
    assert b"Traceback" not in made.stderr


@pytest.fixture(scope="module", params=["cc", None], ids=["program", "script"])
def launcher(deployed, request, tmp_path_factory):
    """A hook whose interpreter is missing."""
    layout = deployed.replace(bin=str(tmp_path_factory.mktemp("bin")), python="/nowhere/python")
    deploy.put_hook(layout, request.param)
    return hook_path(layout)


@pytest.mark.parametrize("host", HOSTS)
def test_a_missing_interpreter_is_answered_by_the_launcher(launcher, host):
    made = subprocess.run(
        [launcher, host], input=raw("claude", "git reset --hard"), capture_output=True, env={}, timeout=60
    )
    assert b"[self/broken]" in made.stdout + made.stderr
    assert made.returncode in (0, 2)


@pytest.mark.parametrize(
    ("host", "says"),
    [
        ("claude", "An allow of ours cannot lift an ask in managed settings"),
        ("claude", "before 2.1.233 did not ask in bypass mode"),
        ("codex", "code-mode exec"),
        ("copilot", "a deny was reported to have no effect"),
        ("opencode", "did not call it for sub-agents"),
        ("gemini", "The shims are the net behind it"),
        ("kimi", "The shims are the net behind it"),
    ],
)
def test_what_a_host_cannot_do_is_told_at_installation(host, says):
    assert any(says in note for note in installers.find(host).NOTES)
