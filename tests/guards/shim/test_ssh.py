"""ssh, scp, sftp and rsync through the shims against a real sshd on the loopback: the same results, and managed hosts are asked first."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.layouts import layout_at
from tests.shims.places import first, install

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/sbin")
pytestmark = pytest.mark.skipif(SSHD is None or shutil.which("ssh") is None, reason="no sshd on this machine")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A configuration file that knows the running server as `alpha`, and a port where nobody listens as `dead`."""
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    port, dead = free_port(), free_port()
    (folder / "authorized").write_bytes((folder / "user.pub").read_bytes())
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\nStrictModes no\n"
        f"UsePAM no\nPidFile {folder}/pid\nSubsystem sftp internal-sftp\nPermitRootLogin yes\nPasswordAuthentication no\n"
    )
    os.makedirs("/run/sshd", exist_ok=True)
    running = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "sshd_config"], stderr=subprocess.DEVNULL)
    (folder / "known").write_text(f"[127.0.0.1]:{port} {(folder / 'host.pub').read_text()}")
    common = f"  HostName 127.0.0.1\n  User {getpass.getuser()}\n  IdentityFile {folder}/user\n  UserKnownHostsFile {folder}/known\n  IdentitiesOnly yes\n"
    (folder / "config").write_text(
        f"Host alpha\n  Port {port}\n{common}Host dead\n  Port {dead}\n{common}Host nokey\n  Port {port}\n{common.replace('/known', '/unknown')}"
    )
    listening = False
    while not listening:
        assert running.poll() is None, "sshd did not start"
        with socket.socket() as probe:
            listening = probe.connect_ex(("127.0.0.1", port)) == 0
        time.sleep(0.05)
    yield folder
    running.terminate()
    running.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def managed(tmp_path):
    """An installation that wants `alpha`, `dead` and `nokey` asked first."""
    layout = layout_at(tmp_path / "own gate")
    os.makedirs(layout.config)
    with open(layout.config + "/config.toml", "w") as file:
        # patient: a busy machine is no silent host
        file.writelines(f"[hosts.{host}]\nprobe = true\ntimeout = 60\n" for host in ("'a*'", "dead", "nokey"))
    install(layout)
    return layout


def run(argv, environment, **more):
    return subprocess.run(argv, env=environment, capture_output=True, timeout=120, **more)


FORMS = [
    ["ssh", "-V"],
    ["ssh", "-F", "CONFIG", "alpha", "echo out; echo err >&2; exit 7"],
    ["ssh", "-F", "CONFIG", "alpha", "cat"],
    ["ssh", "-F", "CONFIG", "-n", "alpha", "cat; kill -TERM $$"],
    ["ssh", "-F", "CONFIG", "-T", "alpha", "--", "printf", "%s", "'a b'"],
    ["ssh", "-G", "-F", "CONFIG", "alpha"],
    ["ssh", "-F", "CONFIG", "-o", "ConnectTimeout=5", "dead", "true"],
    ["ssh", "-Q", "key"],
    ["ssh"],
    ["scp", "-q", "-F", "CONFIG", "FILE", "alpha:TARGET"],
    ["scp", "-F", "CONFIG", "alpha:/nonexistent", "."],
    ["scp"],
    ["sftp", "-F", "CONFIG", "-b", "/dev/null", "alpha"],
    ["rsync", "--version"],
    ["rsync", "-a", "-e", "ssh -F CONFIG", "FILE", "alpha:TARGET"],
    ["rsync", "-a", "-e", "ssh -F CONFIG", "alpha:/nonexistent/x", "TARGET"],
    ["rsync", "-a", "FILE", "TARGET"],
]


@pytest.mark.parametrize("words", FORMS, ids=" ".join)
def test_the_same_with_and_without(server, bare, shimmed, tmp_path, words):
    (tmp_path / "file").write_text("content\n")
    names = {"CONFIG": f"{server}/config", "FILE": f"{tmp_path}/file", "TARGET": f"{tmp_path}/target"}
    argv = list(words)
    for name, value in names.items():
        argv = [word.replace(name, value) for word in argv]
    results = []
    for environment in (bare, shimmed):
        done = run(argv, environment, input=b"input\n", cwd=tmp_path)
        target = (tmp_path / "target").read_bytes() if (tmp_path / "target").exists() else None
        (tmp_path / "target").unlink(missing_ok=True)
        results.append((done.returncode, done.stdout, done.stderr, target))
    assert results[0] == results[1]


def test_input_in_a_loop_is_left_for_the_command(server, managed, bare):
    script = f"printf 'a\\nb\\nc\\n' | while read x; do echo $x; ssh -n -F {server}/config alpha true; done"
    done = run(["sh", "-c", script], first(managed.prefix + "/shims", bare))
    assert done.stdout == b"a\nb\nc\n", done.stderr


def test_git_over_ssh(server, managed, bare, dirty_repo, tmp_path):
    environment = first(managed.prefix + "/shims", bare)
    environment["GIT_SSH_COMMAND"] = f"ssh -F {server}/config"
    del environment["GIT_SSH_COMMAND"]
    environment["GIT_SSH"] = f"{tmp_path}/ssh"
    (tmp_path / "ssh").write_text(f'#!/bin/sh\nexec ssh -F {server}/config "$@"\n')
    (tmp_path / "ssh").chmod(0o755)
    done = run(["git", "ls-remote", f"alpha:{dirty_repo}", "HEAD"], environment)
    assert done.stdout.endswith(b"HEAD\n"), done.stderr


def reach(layout):
    with open(layout.state + "/reach.json") as file:
        return json.load(file)["hosts"]


def test_a_managed_host_that_answers_is_remembered(server, managed, bare):
    environment = first(managed.prefix + "/shims", bare)
    argv = ["ssh", "-F", f"{server}/config", "alpha", "echo hi"]
    assert run(argv, environment).stdout == b"hi\n"
    assert reach(managed)["alpha"][0] == "answered"


def test_a_managed_host_that_is_silent_is_refused_and_not_remembered(server, managed, bare):
    environment = first(managed.prefix + "/shims", bare)
    for argv in (
        ["ssh", "-F", f"{server}/config", "dead", "true"],
        ["scp", "-F", f"{server}/config", "x", "dead:y"],
        ["rsync", "-e", f"ssh -F {server}/config", "x", "dead:y"],
    ):
        done = run(argv, environment)
        assert done.returncode == 126
        assert b"will not help" in done.stderr
        assert done.stderr.endswith(b"[remote/unreachable]\n")
    assert reach(managed)["dead"][0] == "silent"
    assert run(["ssh", "-F", f"{server}/config", "-O", "check", "dead"], environment).returncode == 255


def test_an_unknown_host_key_is_neither_accepted_nor_unreachable(server, managed, bare):
    done = run(["ssh", "-F", f"{server}/config", "nokey", "true"], first(managed.prefix + "/shims", bare))
    assert done.returncode == 255
    assert b"Host key verification failed" in done.stderr
    assert not (server / "unknown").exists() or not (server / "unknown").read_text()


def test_the_notify_command_is_asked_once_for_all_who_wait(server, managed, bare, tmp_path):
    ask = tmp_path / "ask"
    ask.write_text(f'#!/bin/sh\necho "$1" >>{tmp_path}/asked\nsleep 1\nexit 1\n')
    ask.chmod(0o755)
    with open(managed.config + "/config.toml", "w") as file:
        file.write(f'[hosts.dead]\nprobe = true\nnotify = ["{ask}"]\n')
    install(managed)
    environment = first(managed.prefix + "/shims", bare)
    argv = ["ssh", "-F", f"{server}/config", "dead", "true"]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: run(argv, environment), range(6)))
    assert [answer.returncode for answer in answers] == [126] * 6
    assert len((tmp_path / "asked").read_text().splitlines()) == 1
    assert reach(managed)["dead"][0] == "declined"
    assert b"declined" in run(argv, environment).stderr
    assert len((tmp_path / "asked").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"network": 1}',
        b"\xff\xfe",
        b'{"network": "x", "hosts": {"alpha": 7}}',
        b'{"hosts": {"alpha": ["answered"]}}',
    ],
)
def test_bad_memory_is_no_memory(server, managed, bare, content):
    with open(managed.state + "/reach.json", "wb") as file:
        file.write(content)
    done = run(["ssh", "-F", f"{server}/config", "alpha", "echo hi"], first(managed.prefix + "/shims", bare))
    assert done.stdout == b"hi\n"
    assert reach(managed)["alpha"][0] == "answered"


def test_six_writers_leave_one_document(server, managed, bare):
    environment = first(managed.prefix + "/shims", bare)
    with ThreadPoolExecutor(6) as pool:
        list(
            pool.map(
                lambda host: run(["ssh", "-F", f"{server}/config", host, "true"], environment), ["alpha", "dead"] * 3
            )
        )
    assert set(reach(managed)) == {"alpha", "dead"}


def test_match_exec_is_not_run_by_us(server, managed, bare, tmp_path):
    config = tmp_path / "config"
    config.write_text(f'Match exec "touch {tmp_path}/ran; false"\n  Port 1\n' + (server / "config").read_text())
    from guards.shim import sshconfig, sshline

    line = sshline.read("ssh", ["-F", str(config), "alpha"])
    assert sshconfig.runs_commands(line)
    assert sshconfig.names("/usr/bin/ssh", line, "alpha", bare) == ("alpha",)
    assert not (tmp_path / "ran").exists()


def test_an_alias_counts_by_its_host_name(server, bare):
    from guards.shim import sshconfig, sshline

    line = sshline.read("ssh", ["-F", f"{server}/config", "alpha"])
    assert sshconfig.names("/usr/bin/ssh", line, "alpha", bare) == ("alpha", "127.0.0.1")


def test_nothing_waits_for_a_password(server, installed, bare):
    port = (server / "config").read_text().split("Port ")[1].split()[0]
    environment = first(installed.prefix + "/shims", bare)
    options = [
        "-F",
        "/dev/null",
        "-p",
        port,
        "-oIdentitiesOnly=yes",
        "-oIdentityFile=/nonexistent",
        f"-oUserKnownHostsFile={server}/known",
        "-v",
    ]
    done = run(["ssh", *options, "127.0.0.1", "true"], environment, stdin=subprocess.DEVNULL)
    assert done.returncode == 255
    assert b"Permission denied" in done.stderr
    assert (
        b"keyboard-interactive"
        not in done.stderr.split(b"Permission denied")[0].rpartition(b"Next authentication method")[2]
    )
