"""A person's word: on the session's terminal, or later by a code; never by the agent."""

from __future__ import annotations

import os
import pty
import subprocess
import threading
import time

import pytest

from guards import codes, sessions
from guards.shim import person
from tests.shims.places import first


@pytest.fixture
def asking(fresh, tmp_path):
    """A repository in which a rule of the user's asks about `git fsck`."""
    folder = f"{fresh.config}/rules/mine"
    os.makedirs(folder)
    with open(folder + "/look.toml", "w") as file:
        file.write(
            'summary = "looks"\nwhy = "it is a test"\ndecision = "ask"\n[[match]]\nprogram = "git"\nsubcommand = "fsck"\n'
            '[[example]]\nrun = "git fsck"\nexpect = "ask"\n[[example]]\nrun = "git log"\nexpect = "pass"\n'
        )
    return fresh


@pytest.fixture
def run(asking, bare, dirty_repo):
    def go(*words, **extra):
        return subprocess.run(
            ["git", *words],
            cwd=dirty_repo,
            env={**first(asking.prefix + "/shims", bare), **extra},
            capture_output=True,
            timeout=300,
        )

    return go


def gatepost(layout, *words):
    return subprocess.run([f"{layout.bin}/gatepost", *words], capture_output=True, text=True, timeout=300)


def test_a_code_lets_it_pass_once(asking, run):
    refused = run("fsck")
    assert refused.returncode == 126, refused.stderr
    assert refused.stderr.rstrip().endswith(b"[mine/look]")
    code = codes.listed(asking)[0].code
    assert code.encode() not in refused.stderr
    assert "git fsck" in gatepost(asking, "allow-once").stdout
    assert gatepost(asking, "allow-once", "zzzzzz").returncode == 1
    assert gatepost(asking, "allow-once", code).returncode == 0
    assert gatepost(asking, "allow-once", code).returncode == 1
    assert run("fsck", "--quiet").returncode == 126
    assert run("fsck").returncode == 0
    assert run("fsck").returncode == 126


def test_a_code_is_bound_to_head(asking, run):
    run("fsck")
    code = codes.listed(asking)[0].code
    assert run("commit", "-q", "--allow-empty", "-m", "moved").returncode == 0
    assert "HEAD" in gatepost(asking, "allow-once", code).stderr
    assert run("fsck").returncode == 126


def test_the_same_question_keeps_its_code(asking, run):
    for _ in range(3):
        run("fsck")
    assert len(codes.listed(asking)) == 1


def test_what_is_old_is_gone(asking, run, monkeypatch):
    run("fsck")
    code = codes.listed(asking)[0].code
    now = time.time()
    monkeypatch.setattr(codes.time, "time", lambda: now + 601)
    assert codes.listed(asking) == []
    assert "ten minutes" in codes.redeem(asking, code)


def answering(text):
    """A terminal on which a person types `text` as soon as something is asked."""
    master, terminal = pty.openpty()
    said = []

    def person_at_it():
        said.append(os.read(master, 4096))
        os.write(master, text)

    thread = threading.Thread(target=person_at_it, daemon=True)
    thread.start()
    return os.ttyname(terminal), said, thread


@pytest.mark.parametrize(("text", "status"), [(b"y\n", 0), (b"n\n", 126), (b"\n", 126)])
def test_the_sessions_terminal_is_asked(asking, run, text, status):
    name, said, thread = answering(text)
    here = sessions.kin.stat(os.getpid())[2]
    assert sessions.enter(asking, sessions.Session("s1", "", f"{os.getpid()}:{here}", "/", time.time(), (), name))
    done = run("fsck", GATEPOST_SESSION="s1")
    thread.join(timeout=120)
    assert done.returncode == status, done.stderr
    assert b"git fsck" in said[0]
    assert codes.listed(asking) == []


@pytest.mark.parametrize("path", ["", "/dev/null", "/no/such", "a\0b"])
def test_no_terminal_is_nobody(path):
    assert person.on_terminal("?", path) is None


def test_a_refusal_can_be_lifted_too_and_says_nothing_of_it(asking, run, dirty_repo):
    refused = run("reset", "--hard")
    assert refused.returncode == 126
    assert b"allow-once" not in refused.stderr
    assert gatepost(asking, "allow-once", codes.listed(asking)[0].code).returncode == 0
    assert run("reset", "--hard").returncode == 0
    assert (dirty_repo / "src/a.py").read_text() == "one = 1\n"
