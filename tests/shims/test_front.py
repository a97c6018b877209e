"""The hook's front, as a program and as a script, with a table made by hand: which payloads it answers, what it hands to Python, and that it sees what is stale."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from guards import silent
from shims import compiler, generate
from tests.shims.hooked import CLAUDE, Hook, command, compact


@pytest.fixture(params=["program", "script"])
def hook(layout, request):
    """The hook with the front above; its Python shows what reached it."""
    return Hook(layout, request.param)


@pytest.fixture
def program(layout):
    return Hook(layout, "program")


@pytest.fixture
def script(layout):
    return Hook(layout, "script")


SILENT = [
    "ls",
    "ls -la src",
    "git status",
    "git status -s",
    "git status xab",
    "git stash list -p",
    "make test",
    "pytest -q tests/a.py::b",
    "cat a.txt",
    "cargo build",
    "ls  -l ",
]
JUDGED = [
    "rm x", "git push", "git", "git -C x status", "git status --out", "git status -o", "git status xzb", "git stash", "git stash:list", "git stash drop", "./run.sh", "/bin/ls", "python3", "python3.12", "cat .env",
    "deploy prod", "ls; ls", "ls | cat", "ls > x", "A=1 ls", "ls ~", "ls *", "ls $HOME", "ls 'a'", "ls\tx", "ls\nrm", "", " ", "ls {a,b}",
    "ls #x", "ls !x", "ls \\x", "ls é", "git a/b", ". x", "git ../..",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "silent"), [("program", True), ("script", False)])
def test_a_name_that_only_ends_like_a_version_is_looked_up_by_the_program(layout, kind, silent):
    assert Hook(layout, kind).silent(command("base64 x")) is silent


@pytest.mark.parametrize("text", SILENT)
def test_a_request_of_a_listed_form_is_answered_by_silence(hook, text):
    assert hook.silent(command(text))


@pytest.mark.parametrize("text", JUDGED)
def test_every_other_request_reaches_python_whole(hook, text):
    assert not hook.silent(command(text))


EITHER = None
"""Harmless, and seen as that by the program alone."""

PAYLOADS = {
    "a line break behind it": (compact() + "\n", True),
    "other innocent arguments": (command("ls", timeout=120000, run_in_background=True), True),
    "no description": (command("ls"), True),
    "the arguments first": (compact({"tool_input": {"command": "ls"}, **{k: v for k, v in CLAUDE.items() if k != "tool_input"}}), True),
    "an object last": (compact({**{k: v for k, v in CLAUDE.items() if k != "tool_input"}, "tool_input": {"command": "ls"}}), True),
    "a number last": (compact(attempt=3), EITHER),
    "a number and more": (compact({"attempt": 12, **CLAUDE}), True),
    "a constant": (compact({"agent": None, **CLAUDE}), True),
    "blanks between": (json.dumps(CLAUDE), False),
    "two lines": (json.dumps(CLAUDE, indent=1), False),
    "two documents": (compact() + "\n" + compact(), False),
    "garbage behind it": (compact() + "x", False),
    **{f"{mark} behind it": (compact() + mark, False) for mark in ('"', '""', "'", "{", "[", "]", ",", ":", "0", "\\", "null")},
    "garbage on the next line": (compact() + "\nx", False),
    "an escape": (compact(session_id="a\\b"), False),
    "an accent": (compact(session_id="é"), False),
    "raw UTF-8": (json.dumps({**CLAUDE, "session_id": "é"}, separators=(",", ":"), ensure_ascii=False), False),
    "another tool": (compact(tool_name="Write"), False),
    "another event": (compact(hook_event_name="PermissionRequest"), False),
    "no event": (compact({k: v for k, v in CLAUDE.items() if k != "hook_event_name"}), False),
    "no folder": (compact({k: v for k, v in CLAUDE.items() if k != "cwd"}), False),
    "a relative folder": (compact(cwd="app"), False),
    "an odd folder": (compact(cwd="/a/../b"), False),
    "a folder that is no text": (compact(cwd=7), False),
    "a session that is no text": (compact(session_id=None, other=1), False),
    "a command that is no text": (command(7), False),
    "a command that is a list": (command(["ls"]), False),
    "arguments that are no object": (compact(tool_input="ls"), False),
    "another argument": (command("ls", shell="fish"), False),
    "an object in the arguments": (command("ls", env={"A": "1"}), False),
    "a list": (compact(roots=["/"]), False),
    "a deep object": (compact(effort={"level": {"x": "y"}}), False),
    "a key twice": (compact()[:-1] + ',"cwd":"/tmp"}', False),
    "a command twice": (compact().replace('"command":', '"command":"rm x","command":'), False),
    "cut off": (compact()[:-1], False),
    "cut off in a text": (compact()[:-10], False),
    "cut off before a value": (compact()[: compact().index('"toolu')], False),
    "one brace too many": (compact() + "}", False),
    "a comma too many": (compact()[:-1] + ",}", False),
    "a comma too few": (compact().replace(',"prompt_id"', '"prompt_id"'), False),
    "a leading zero": (compact({"n": 1, **CLAUDE}).replace('"n":1', '"n":012'), False),
    "two numbers": (compact({"n": 1, **CLAUDE}).replace('"n":1', '"n":1:2'), False),
    "a list without brackets": (compact({"n": 1, **CLAUDE}).replace('"n":1', '"n":1,2'), False),
    "no JSON": ("ls", False),
    "an array": ("[" + compact() + "]", False),
    "a text": ('"ls"', False),
    "nothing": ("", False),
    "only a line break": ("\n", False),
    "long": (compact(transcript_path="/" + "x" * 7000), False),
}  # fmt: skip


@pytest.mark.parametrize(("payload", "silent"), PAYLOADS.values(), ids=PAYLOADS)
def test_only_a_payload_that_the_host_would_send_is_answered(hook, payload, silent):
    assert hook.silent(payload) in {silent, (hook.kind == "program") if silent is EITHER else silent}


@pytest.mark.parametrize(
    ("host", "event", "tool", "silent"),
    [
        ("codex", "PreToolUse", "Bash", True),
        ("gemini", "BeforeTool", "run_shell_command", True),
        ("gemini", "PreToolUse", "Bash", False),
        ("claude", "BeforeTool", "run_shell_command", False),
        ("qwen", "PreToolUse", "run_shell_command", True),
        ("kimi", "PreToolUse", "Bash", True),
        ("cursor", "PreToolUse", "Bash", False),
        ("", "PreToolUse", "Bash", False),
    ],
)
def test_each_host_has_its_own_event_and_tool(hook, host, event, tool, silent):
    assert hook.silent(compact(hook_event_name=event, tool_name=tool), host) is silent


def test_a_silent_answer_is_counted(hook):
    for _ in range(3):
        assert hook.silent(compact())
    assert os.stat(hook.layout.state + "/silent").st_size == 3


@pytest.mark.parametrize("way", compiler.WAYS, ids=("alone", "static", "dynamic"))
def test_the_program_counts_by_the_hour(layout, monkeypatch, way):
    """However it is linked."""
    monkeypatch.setattr(compiler, "WAYS", (way,))
    hook = Hook(layout, "program")
    before = time.time() - 1
    assert hook.silent(compact())
    assert silent.since(layout, before) == silent.total(layout) == 1
    byte = Path(silent.path(layout)).read_bytes()[0]
    assert byte in {silent.FIRST + int(moment // 3600) % silent.AROUND for moment in (before, time.time())}


def test_a_counter_that_cannot_be_written_changes_no_answer(hook):
    os.mkdir(hook.layout.state + "/silent")
    assert hook.silent(compact())


def test_what_the_environment_presets_does_not_reach_the_front(hook):
    preset = dict.fromkeys(
        ("text", "more", "cwd", "command", "event", "tool", "seen", "depth", "expected", "IFS", "table", "form"), "x"
    )
    assert hook.silent(command("ls"), **preset)
    assert not hook.silent(command("rm x"), **preset)


def test_a_source_that_changed_sends_to_python(hook):
    assert hook.silent(compact())
    os.utime(hook.config)
    assert not hook.silent(compact())


def test_a_source_that_is_gone_sends_to_python(hook):
    os.unlink(hook.config)
    assert not hook.silent(compact())


def test_a_source_that_came_into_being_sends_to_python(hook):
    os.mkdir(hook.absent)
    assert not hook.silent(compact())


@pytest.mark.parametrize("name", ["since", "policy"])
def test_compiled_rules_that_are_gone_or_newer_send_to_python(hook, name):
    path = f"{hook.layout.compiled}/{name}"
    if name == "policy":
        os.utime(path, (4e9, 4e9))
        assert not hook.silent(compact())
    os.unlink(path)
    assert not hook.silent(compact())


def test_a_table_that_is_gone_sends_to_python(script):
    os.rename(script.table, script.layout.compiled + "/gone")
    assert not script.silent(compact())


@pytest.mark.parametrize("where", ["", "/sub", "/sub/deeper"])
def test_a_project_file_in_the_folder_or_above_sends_to_python(hook, tmp_path, where):
    folder = tmp_path / "project/sub/deeper"
    folder.mkdir(parents=True)
    assert hook.silent(compact(cwd=str(folder)))
    (tmp_path / f"project{where}/.gatepost.toml").write_text("")
    assert not hook.silent(compact(cwd=str(folder)))


def test_a_project_file_below_does_not_matter(hook, tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below/.gatepost.toml").write_text("")
    assert hook.silent(compact(cwd=str(tmp_path)))


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("tool7 x", True),
        ("7 x", True),
        ("ls7", False),
        ("git2.44 status", False),
        ("rm-3 x", False),
        ("tool7 prod", False),
    ],
)
def test_a_version_at_the_end_of_a_name_does_not_count(program, text, silent):
    assert program.silent(command(text)) is silent


def test_a_host_that_leaves_the_pipe_open_is_not_waited_for(program):
    """A shell cannot wait with a limit; the program hands over to Python, which knows how to."""
    generate.put(program.layout.python, "#!/bin/sh\ncat <&3\n", 0o755)
    reading, writing = os.pipe()
    os.write(writing, compact().encode())
    try:
        done = subprocess.run(
            [generate.hook_path(program.layout), "claude"], stdin=reading, capture_output=True, timeout=30
        )
    finally:
        os.close(reading)
        os.close(writing)
    assert done.stdout.decode() == compact()


ENDINGS = {"silence": ("exit 0", 0, b""), "a refusal": ("exit 2", 2, b""), "killed": ("kill -9 $$", 0, b"broken"), "failed": ("exit 7", 0, b"broken")}  # fmt: skip


def children_ignored():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


@pytest.mark.parametrize("handed_on", [None, children_ignored])
@pytest.mark.parametrize(("ending", "status", "said"), ENDINGS.values(), ids=ENDINGS)
def test_how_python_ended_is_known_though_the_host_ignores_its_children(hook, ending, status, said, handed_on):
    """Such a host hands that on, and a wait then says nothing: a refusal, or a judge that died, must not become silence."""
    generate.put(hook.layout.python, f"#!/bin/sh\n{ending}\n", 0o755)
    done = subprocess.run(
        [generate.hook_path(hook.layout), "claude"],
        input=command("rm x").encode(),
        capture_output=True,
        preexec_fn=handed_on,
    )
    assert (done.returncode, done.stdout.strip()) == (status, said)


@pytest.mark.parametrize("size", [3000, 5000, 70000])
def test_a_long_payload_reaches_python_whole(hook, size):
    assert not hook.silent(command("echo " + "x" * size + "; ls"))
    assert not hook.silent(json.dumps({**CLAUDE, "tool_input": {"command": "x" * size}}, indent=1))
