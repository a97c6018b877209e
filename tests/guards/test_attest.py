"""The first run of a version of a script: attested by the store, or by a command that the person's configuration names, or refused."""

from __future__ import annotations

import os
import signal
import time
from hashlib import sha256
from pathlib import Path

import pytest

from guards import attest
from guards.shim import ask
from tests.asked import word

RULE = '[rules."conventions/first-run-review".parameters]\ncommands = ["uv run", "python"]\nscripts = ["*exp_*.py"]\nstore = "~/none"\n'


@pytest.fixture
def reviewer(tmp_path):
    """A command that says yes to the digests in `yes`, and tells what it was asked."""

    def made(body=""):
        path = tmp_path / "reviewer"
        path.write_text(
            f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nenv >> {tmp_path}/env\n{body}\ngrep -q "$3" {tmp_path}/yes\n'
        )
        path.chmod(0o755)
        (tmp_path / "yes").touch()
        return path

    return made


def test_the_person_s_command_decides(deployed_here, git_env, tmp_path, reviewer):
    """And nothing is asked without the rule, or without the command."""
    path = reviewer()
    config = Path(deployed_here.config)
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text(f'{RULE}[settings]\nattestation = ["{path}", "--check"]\n')
    script = tmp_path / "exp_1.py"
    script.write_text("print(1)\n")
    env = {**git_env, "SECRET": "x"}
    assert word(deployed_here.bin, "uv run exp_1.py", tmp_path, env) == "deny"
    digest = sha256(script.read_bytes()).hexdigest()
    assert (tmp_path / "asked").read_text().splitlines()[0] == f"--check {script} {digest}"
    assert "SECRET" not in (tmp_path / "env").read_text()
    (tmp_path / "yes").write_text(digest)
    assert word(deployed_here.bin, "uv run exp_1.py", tmp_path, env) == "pass"
    script.write_text("print(2)\n")
    assert word(deployed_here.bin, "uv run exp_1.py", tmp_path, env) == "deny"

    (tmp_path / "asked").unlink()
    (config / "config.toml").write_text(f'[settings]\nattestation = ["{path}"]\n')
    assert word(deployed_here.bin, "python exp_1.py", tmp_path, env) == "pass"
    (config / "config.toml").write_text(RULE)
    assert word(deployed_here.bin, "python exp_1.py", tmp_path, env) == "deny"
    assert not (tmp_path / "asked").exists()


@pytest.fixture(params=[signal.SIG_DFL, signal.SIG_IGN], ids=["heard", "ignored"])
def children(request):
    """What the process that started us made of the ends of children; found again as it was."""
    before = signal.signal(signal.SIGCHLD, request.param)
    yield request.param
    assert signal.signal(signal.SIGCHLD, before) == request.param


@pytest.mark.usefixtures("children")
@pytest.mark.parametrize("body", ["exit 1", "kill -9 $$", "exec /nowhere/x"])
def test_whatever_is_no_yes_is_a_no(reviewer, body):
    assert attest.attested((str(reviewer(body)),), "/x.py", "0" * 64) is False


@pytest.mark.usefixtures("children")
@pytest.mark.parametrize("status", [0, 3])
def test_what_a_shim_starts_says_how_it_ended(status):
    environment = {"PATH": os.defpath}
    assert ask.run(("/bin/sh", "-c", f"echo a; exit {status}"), environment) == ask.Answer(status, "a\n", "")


@pytest.mark.parametrize("command", ["/nowhere/reviewer", "reviewer", "true", "/etc/passwd"])
def test_a_command_that_cannot_run_or_is_not_named_whole_is_a_no(command):
    assert attest.attested((command,), "/x.py", "0" * 64) is False


def test_one_that_does_not_end_is_ended_with_its_children(reviewer, tmp_path, monkeypatch):
    monkeypatch.setattr(attest, "PATIENCE", 0.3)
    path = reviewer(f"sleep 300 & echo $! > {tmp_path}/child\nwait")
    assert attest.attested((str(path),), "/x.py", "0" * 64) is False
    child = int((tmp_path / "child").read_text())
    for _ in range(200):
        try:
            os.kill(child, 0)
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            break
        if state == "Z":
            break
        time.sleep(0.02)
    else:
        pytest.fail("its child runs on")
