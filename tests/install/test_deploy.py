"""What deploy writes, and what the launchers do when the interpreter or its files are missing, broken or of another kind."""

import fcntl
import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from guards.install import demo, deploy
from policy.compiled import file_name
from shims import generate, hook_program

CLAUDE = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}})
ANSWERS = {
    "claude": generate.Answer(CLAUDE + "\n", "", 0),
    "odd": generate.Answer('{"say":"it\'s \\\\n $x `y`"}', "", 0),
    "windsurf": generate.Answer("", "no\n", 2),
}


@pytest.fixture(params=["program", "script"])
def hook(layout, request):
    """The hook launcher of an installation whose answers are ANSWERS; its Python is a script that each test writes."""
    deploy.folders(layout)
    layout = layout.replace(python=layout.prefix + "/python")
    generate.write_entries(layout)
    if request.param == "script":
        generate.write_hook(layout, ANSWERS)
    elif not hook_program.write(layout, ANSWERS, None):
        pytest.skip("no C compiler")

    def run(host, python=None, stdin="{}", environment=None):
        if python is not None:
            generate.put(layout.python, python, 0o755)
        return subprocess.run(
            [layout.bin + "/gatepost-hook", host], input=stdin, capture_output=True, text=True, timeout=60
        )

    return run


BROKEN = {
    "not there": None,
    "not a program": "\x7fELF",
    "without its library": "#!/bin/sh\nexit 127\n",
    "a traceback": "#!/bin/sh\necho Traceback >&2\nexit 1\n",
    "killed": "#!/bin/sh\nkill -9 $$\n",
    "out of memory": "#!/bin/sh\nexit 137\n",
}


@pytest.mark.parametrize("python", BROKEN.values(), ids=BROKEN)
def test_a_broken_interpreter_answers_in_the_hosts_shape(hook, python):
    done = hook("claude", python)
    assert done.returncode == 0
    assert json.loads(done.stdout) == json.loads(CLAUDE)


def test_odd_characters_in_an_answer_reach_the_host_unchanged(hook):
    assert hook("odd").stdout == ANSWERS["odd"].stdout + "\n"


def test_a_host_that_blocks_by_status_gets_it(hook):
    done = hook("windsurf")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "no\n")


@pytest.mark.parametrize("host", ["", "nobody", "*", "cla*"])
def test_an_unknown_host_gets_the_status_that_blocks_on_every_host(hook, host):
    done = hook(host)
    assert (done.returncode, done.stdout) == (2, "")
    assert "gatepost" in done.stderr


@pytest.mark.parametrize("status", [0, 2])
def test_a_python_that_answered_is_passed_on(hook, status):
    done = hook("claude", f"#!/bin/sh\ncat\nexit {status}\n", '{"a":1}')
    assert (done.returncode, done.stdout.strip()) == (status, '{"a":1}')


def test_the_environment_cannot_replace_what_the_hook_does(hook):
    python = "#!/bin/sh\nexit 1\n"
    functions = {f"BASH_FUNC_{name}%%": "() { echo owned; }" for name in ("exec", "printf", "exit", "[", "read")}
    assert json.loads(hook("claude", python, environment=functions).stdout) == json.loads(CLAUDE)


def test_the_compiled_folder_is_the_owners_alone(deployed):
    assert stat.S_IMODE(os.stat(deployed.compiled).st_mode) == 0o700


@pytest.mark.parametrize("name", ["gatepost", "with-limits", "gatepost-hook"])
def test_a_launcher_is_a_program_that_carries_our_mark(deployed, name):
    path = f"{deployed.bin}/{name}"
    assert os.access(path, os.X_OK)
    text = Path(path).read_bytes()
    assert generate.MARK.encode() in text[:4096]
    assert not re.search(b"@[A-Z]{3,}@", text)
    if text.startswith(b"#!"):
        assert subprocess.run(["/bin/sh", "-n", path]).returncode == 0


def test_deploying_again_changes_nothing(deployed_here):
    def state():
        files = (path for folder in (deployed_here.bin, deployed_here.compiled) for path in Path(folder).rglob("*"))
        return {path: path.read_bytes() for path in files if path.is_file() and "policy." not in path.name}

    before = state()
    deploy.deploy(deployed_here)
    assert state() == before


@pytest.mark.parametrize(("name", "status"), [("gatepost", 70), ("with-limits", 125)])
def test_a_launcher_without_its_interpreter_says_so(layout, name, status):
    deploy.folders(layout)
    generate.write_launchers(layout.replace(python=layout.prefix + "/gone"))
    done = subprocess.run([f"{layout.bin}/{name}", "--version"], capture_output=True, text=True)
    assert done.returncode == status
    assert "install.sh" in done.stderr


def test_a_launcher_keeps_environment_entries_with_odd_names(layout):
    deploy.folders(layout)
    python = layout.prefix + "/python"
    generate.put(python, "#!/usr/bin/env -S bash -p\nenv\n", 0o755)
    generate.write_launchers(layout.replace(python=python))
    environment = {"PATH": os.environ["PATH"], "npm_config_//r/:_t": "1", "a-b": "2"}
    done = subprocess.run([f"{layout.bin}/with-limits"], env=environment, capture_output=True, text=True)
    assert "npm_config_//r/:_t=1" in done.stdout
    assert "a-b=2" in done.stdout


def test_an_installation_for_all_users_can_be_read_by_them_and_written_by_its_owner_only(layout):
    shared = layout.replace(shared=True)
    deploy.deploy(shared)
    paths = [Path(shared.compiled), *Path(shared.compiled).rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o755, 0o644}
    assert shared.state.encode() not in Path(generate.hook_path(shared)).read_bytes()


def test_a_compile_that_is_asked_for_twice_at_once_is_done_once(deployed_here):
    before = os.stat(deployed_here.compiled + "/" + file_name()).st_mtime_ns
    assert deploy.deploy(deployed_here, if_stale=True) == ()
    assert os.stat(deployed_here.compiled + "/" + file_name()).st_mtime_ns == before


def test_waiting_for_another_compile_has_an_end(layout, monkeypatch):
    """A hook that a running compile starts may come back to the same lock: it must not wait for ever."""
    deploy.folders(layout)
    monkeypatch.setattr(deploy, "PATIENCE", 0)
    with open(f"{layout.compiled}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(OSError, match="another gatepost compile"):
            deploy.deploy(layout)


def test_a_hook_that_never_answers_is_named_by_the_demonstration(layout, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "PATIENCE", 0.1)
    os.makedirs(layout.bin)
    generate.put(generate.hook_path(layout), "#!/bin/sh\nexec sleep 30\n", 0o755)
    answered = demo.ask(layout, demo.CASES[0], str(tmp_path))
    assert not answered.right
    assert answered.answer.startswith("no answer within")
