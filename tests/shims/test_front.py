"""The hook's front, as a program and as a script, with a table made by hand: which payloads it answers, what it hands to Python, and that it sees what is stale."""

import json
import os
import subprocess

import pytest

from guards.install import deploy
from guards.layout import Layout
from shims import front, generate, hook_program
from shims.skip import Form, Table

PYTHON = "#!/bin/sh\nprintf 'python '\ncat <&3\ncat\n"
TABLE = Table(
    (Form("cat", "", (), ("*.env*",)), Form("git", "stash list", ()), Form("git", "status", ("--o*", "-o*", "x[!a-c]?")), Form("ls", "", ())),
    (".", "git", "ls", "rm"),
    Form("", "", ("*prod*",)),
)  # fmt: skip
CLAUDE = {
    "session_id": "5e6f",
    "transcript_path": "/home/dev/.claude/x.jsonl",
    "cwd": "/nowhere/app",
    "prompt_id": "f9",
    "permission_mode": "default",
    "effort": {"level": "medium"},
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls -la", "description": "list files"},
    "tool_use_id": "toolu_1",
}


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


class Hook:
    """Writes the program and runs it."""

    def __init__(self, layout: Layout, kind: str):
        deploy.folders(layout)
        self.layout = layout = layout.replace(python=layout.prefix + "/python")
        generate.put(layout.python, PYTHON, 0o755)
        generate.write_entries(layout)
        os.mkdir(layout.config)
        self.kind = kind
        self.config = layout.config + "/config.toml"
        self.absent = layout.config + "/rules"
        self.since = layout.compiled + "/since"
        for path in (self.config, layout.compiled + "/policy"):
            generate.put(path, "")
            os.utime(path, (1, 1))
        generate.put(self.since, "")
        own, counter = generate.hook_path(layout), layout.state + "/silent"
        watched = front.Watched((self.config,), (self.absent,), self.since, layout.compiled + "/policy")
        answers = {"claude": generate.Answer("broken", "", 0)}
        if kind == "program":
            if not hook_program.write(layout, answers, (TABLE, watched, counter)):
                pytest.skip("no C compiler")
        else:
            self.table = front.write_table(TABLE, layout.compiled)
            generate.write_hook(layout, answers, front.front(self.table, watched, own, counter))

    def run(self, payload, host="claude", **environment):
        raw = payload if isinstance(payload, bytes) else payload.encode()
        command = [generate.hook_path(self.layout), host]
        done = subprocess.run(command, input=raw, capture_output=True, env={**os.environ, **environment})
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return done.stdout

    def silent(self, payload, host="claude", **environment):
        """Whether the front answered; when it did not, all of the payload must have reached Python."""
        said = self.run(payload, host, **environment)
        raw = payload if isinstance(payload, bytes) else payload.encode()
        reached = raw.replace(b"\0", b"") if self.kind == "script" else raw
        assert said == b"" or said.removeprefix(b"python ").rstrip(b"\n") == reached.rstrip(b"\n")
        return said == b""


def compact(payload=None, /, **changes):
    return json.dumps({**(payload or CLAUDE), **changes}, separators=(",", ":"))


def command(text, **more):
    return compact(tool_input={"command": text, **more})


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
    "rm x", "git push", "git", "git -C x status", "git status --out", "git status -o", "git status xzb", "git stash", "git stash:list", "git stash drop", "./run.sh", "/bin/ls", "python3", "base64", "cat .env",
    "deploy prod", "ls; ls", "ls | cat", "ls > x", "A=1 ls", "ls ~", "ls *", "ls $HOME", "ls 'a'", "ls\tx", "ls\nrm", "", " ", "ls {a,b}",
    "ls #x", "ls !x", "ls \\x", "ls é", "git a/b", ". x", "git ../..",
]  # fmt: skip


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


@pytest.mark.parametrize("size", [3000, 5000, 70000])
def test_a_long_payload_reaches_python_whole(hook, size):
    assert not hook.silent(command("echo " + "x" * size + "; ls"))
    assert not hook.silent(json.dumps({**CLAUDE, "tool_input": {"command": "x" * size}}, indent=1))
