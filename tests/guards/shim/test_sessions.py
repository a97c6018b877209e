"""`gatepost run` and what it registers: ids, PATH, exit status, other live sessions."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from guards import sessions


def gatepost(layout, *words, environment, **more):
    return subprocess.run(
        [f"{layout.bin}/gatepost", *words], env=environment, capture_output=True, text=True, timeout=60, **more
    )


def test_the_agent_has_the_shims_first_and_an_id(fresh, bare, tmp_path):
    outer = {
        **bare,
        "CLAUDE_CODE_SESSION_ID": "outer",
        "CODEX_THREAD_ID": "outer",
        "GATEPOST_SESSION": "outer",
        "KEPT": "1",
    }
    outer["PATH"] = f"/usr/bin:{fresh.prefix}/shims:{outer['PATH']}"
    done = gatepost(fresh, "run", "--", "sh", "-c", "env; command -v git; exit 7", environment=outer, cwd=tmp_path)
    assert done.returncode == 7, done.stderr
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert done.stdout.splitlines()[-1] == f"{fresh.prefix}/shims/git"
    assert found["PATH"].split(":").count(f"{fresh.prefix}/shims") == 1
    assert found["PATH"].startswith(f"{fresh.prefix}/shims:")
    assert len(found["GATEPOST_SESSION"]) == 16
    assert found["KEPT"] == "1"
    assert "outer" not in done.stdout


def test_it_is_the_agent_itself(fresh, bare, tmp_path):
    child = subprocess.Popen(
        [f"{fresh.bin}/gatepost", "run", "--", "sh", "-c", "echo $$; exec sleep 60"],
        env=bare,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert int(child.stdout.readline()) == child.pid
    listed = json.loads(gatepost(fresh, "sessions", "--json", environment=bare).stdout)
    assert [(row["pid"], row["directory"]) for row in listed] == [(child.pid, str(tmp_path))]
    assert listed[0]["memory"] > 0
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=120) == -signal.SIGINT
    child.stdout.close()
    assert json.loads(gatepost(fresh, "sessions", "--json", environment=bare).stdout) == []


def test_a_name_keeps_its_id(fresh, bare, tmp_path):
    def identity(name, folder):
        return gatepost(
            fresh, "run", "--name", name, "--", "sh", "-c", "echo $GATEPOST_SESSION", environment=bare, cwd=folder
        ).stdout

    (tmp_path / "other").mkdir()
    first = identity("work", tmp_path)
    assert identity("work", tmp_path) == first
    assert identity("rest", tmp_path) != first
    assert identity("work", tmp_path / "other") != first


@pytest.mark.parametrize(
    ("agent", "status", "said"),
    [
        ("no-such-agent", 127, "not found on PATH"),
        ("/no/such/agent", 127, "no such file or directory"),
        ("/etc/passwd", 126, "permission denied"),
        ("/tmp", 126, "permission denied"),
        ("--nmae", 127, "there is no such option"),
    ],
)
def test_an_agent_that_cannot_be_started_is_said_as_a_shell_says_it(fresh, bare, agent, status, said):
    done = gatepost(fresh, "run", "--", agent, environment=bare)
    assert (done.returncode, done.stdout) == (status, "")
    assert f"{agent}: {said}" in done.stderr


def test_a_launcher_under_the_agents_name(fresh, bare, tmp_path):
    agent = tmp_path / "bin/agent"
    agent.parent.mkdir()
    agent.write_text('#!/bin/sh\nprintf "%s|" "$@"; command -v git\n')
    agent.chmod(0o755)
    environment = {**bare, "PATH": f"{tmp_path}/bin:{bare['PATH']}"}
    assert gatepost(fresh, "run", "--launcher", "--", "agent", environment=environment).returncode == 0
    first = {**environment, "PATH": f"{fresh.prefix}/agents:{environment['PATH']}"}
    for _ in range(2):
        done = subprocess.run(["agent", "a b", "--c"], env=first, capture_output=True, text=True)
        assert done.stdout == f"a b|--c|{fresh.prefix}/shims/git\n", done.stderr
        assert gatepost(fresh, "run", "--launcher", "--", "agent", environment=first).returncode == 0


def test_a_launcher_finds_an_agent_that_has_moved(fresh, bare, tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent").write_text(f"#!/bin/sh\necho {name}\n")
        (tmp_path / name / "agent").chmod(0o755)
    here = {**bare, "PATH": f"{tmp_path}/old:{bare['PATH']}"}
    assert gatepost(fresh, "run", "--launcher", "--", "agent", environment=here).returncode == 0
    launcher = f"{fresh.prefix}/agents/agent"
    for path, wanted in (
        (f"{tmp_path}/new:{tmp_path}/old", "new\n"),
        (f"{fresh.prefix}/agents:{tmp_path}/new", "new\n"),
        ("/none", "old\n"),
    ):
        done = subprocess.run(
            [launcher], env={**bare, "PATH": f"{path}:{bare['PATH']}"}, capture_output=True, text=True
        )
        assert done.stdout == wanted, done.stderr
    shutil.rmtree(tmp_path / "old")
    gone = subprocess.run([launcher], env=bare, capture_output=True, text=True)
    assert (gone.returncode, gone.stdout) == (127, "")
    assert "agent: not found" in gone.stderr


def test_a_cap_holds_for_the_whole_tree(fresh, bare, tmp_path):
    limited = [f"{fresh.bin}/with-limits", "--memory", "100M", "--require-kernel", "--", "true"]
    if subprocess.run(limited, env=bare, capture_output=True).returncode != 0:
        pytest.skip("the kernel keeps no caps here")
    eater = tmp_path / "eater.py"
    eater.write_text("held = bytearray(400 << 20)\nprint('held')\n")
    script = f"echo $GATEPOST_SESSION; setsid -w {sys.executable} {eater}; echo ended"
    done = gatepost(fresh, "run", "--limits", "--memory 100M", "--", "sh", "-c", script, environment=bare)
    assert len(done.stdout.split()[0]) == 16, done.stderr
    assert "held" not in done.stdout


def test_a_cap_that_the_kernel_does_not_keep_is_said(fresh, bare):
    done = gatepost(
        fresh, "run", "--limits", "--memory 300M", "--", "sh", "-c", "echo $WITH_LIMITS_ID; exit 3", environment=bare
    )
    assert done.returncode == 3
    assert (done.stdout.strip() == "") == ("no cap" in done.stderr)


@pytest.mark.parametrize("asked", ["--memry 2G", "--memory lots", "--memory '2G", "-- other"])
def test_a_mistyped_cap_starts_nothing(fresh, bare, asked):
    done = gatepost(fresh, "run", "--limits", asked, "--", "sh", "-c", "echo started", environment=bare)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "--limits: " in done.stderr


def test_shims_are_made_anew_when_a_program_moves(fresh, bare, tmp_path):
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho another git\n")
    program.chmod(0o755)
    environment = {**bare, "PATH": f"{tmp_path}/bin:{bare['PATH']}"}
    done = gatepost(fresh, "run", "--", "git", "rev-parse", environment=environment)
    assert done.stdout == "another git\n"
    with open(fresh.compiled + "/shims.json") as file:
        assert json.load(file)["git"] == str(program)


@pytest.fixture
def sleeper():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    yield child
    child.kill()
    child.wait()


def entry(layout, identity, pid, directory):
    start = sessions.kin.stat(pid)[2]
    return sessions.enter(layout, sessions.Session(identity, "", f"{pid}:{start}", str(directory), time.time()))


def test_others_are_counted_by_place(fresh, sleeper, tmp_path):
    (tmp_path / "repo/sub").mkdir(parents=True)
    assert entry(fresh, "theirs", sleeper.pid, tmp_path / "repo/sub")
    assert entry(fresh, "mine", os.getpid(), tmp_path / "repo")
    count = sessions.others(fresh, {"GATEPOST_SESSION": "mine"})
    assert count(str(tmp_path / "repo")) == 1
    assert count(str(tmp_path / "rep")) == 0
    assert sessions.find(fresh, "theirs").pid == sleeper.pid
    sleeper.kill()
    sleeper.wait()
    assert count(str(tmp_path / "repo")) == 0
    assert sessions.find(fresh, "theirs") is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"id": 1}', b"\xff", b"x" * 100_000])
def test_a_bad_entry_is_none(fresh, content):
    entry(fresh, "mine", os.getpid(), "/")
    folder = fresh.runtime + "/sessions"
    with open(f"{folder}/{'0' * 32}", "wb") as file:
        file.write(content)
    assert [one.id for one in sessions.live(fresh)] == ["mine"]


def test_a_folder_that_others_may_enter_is_not_used(fresh):
    os.makedirs(fresh.runtime, exist_ok=True)
    os.chmod(fresh.runtime, 0o755)  # noqa: S103  -- that is what is tested
    assert not entry(fresh, "mine", os.getpid(), "/")
    assert sessions.live(fresh) == []
