"""Jobs in pid namespaces of their own, as sandboxes have them: who shares the runtime folder with them does not take them for dead."""

import json
import shlex
import subprocess

import pytest

from tests.guards.limits.conditions import states, wait_for

APART = ["unshare", "--pid", "--fork", "--mount-proc"]
pytestmark = pytest.mark.skipif(
    subprocess.run([*APART, "true"], capture_output=True).returncode != 0, reason="no pid namespace can be had here"
)


@pytest.fixture
def sandboxed(any_limiter):
    """`start(*options)`: a run in a pid namespace of its own that shares the runtime folder; to us its supervisor is pid 1."""

    def start(*options):
        words = [*APART, *any_limiter.words(options, None)]
        return subprocess.Popen(words, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True)

    return start


def test_a_job_in_another_pid_namespace_is_let_live(any_limiter, sandboxed):
    inside = sandboxed("--slot", "db", "-c", "echo ready; read line; echo $line")
    assert inside.stdout.readline() == "ready\n"
    assert states(any_limiter) == ["running"]
    done = any_limiter("--slot", "db", "--wait=0", "--", "true")
    assert (done.returncode, "ended" in done.stderr) == (75, False)
    assert (inside.communicate("still here\n")[0], inside.returncode) == ("still here\n", 0)


def test_a_job_of_a_sandbox_inside_a_job_takes_no_second_place(limiter):
    """It is known by the group that it stands in; where there is none, nothing tells."""
    if limiter.backend.startswith("proc"):
        pytest.skip("no groups are made")
    inner = limiter.words(["--slot", "db", "--wait=0", "--", "sh", "-c", "exit 5"], None)
    done = limiter("--slot", "db", "--", *APART, *inner)
    assert done.returncode == 5, done.stderr


def test_the_groups_of_one_that_waits_there_stay(any_limiter, sandboxed, gate):
    """They are made before the wait, and stand empty through it."""
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    inside = sandboxed("--slot", "db", "-c", "echo it runs")
    wait_for(lambda: states(any_limiter) == ["running", "waiting"])
    for _ in range(3):
        assert any_limiter("--", "true").returncode == 0
    gate.open()
    assert (inside.communicate()[0], inside.returncode) == ("it runs\n", 0)


class TestStartersProc:
    """A sandbox with pids of its own that still sees the /proc of who started it."""

    FOREIGN = ("unshare", "--pid", "--fork", "sh", "-c", '"$@"; exit $?', "sh")  # the shell takes pid 1

    def run(self, limiter, *words):
        return subprocess.run(
            [*self.FOREIGN, *limiter.words(words, None)], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )

    def test_limits_hold_and_nobody_survives(self, limiter, tagged):
        code = "import time; held = bytearray(b'x') * (200 << 20); time.sleep(60)"
        done = self.run(limiter, "--memory", "60MiB", "--", limiter.python, "-c", code)
        assert (done.returncode, limiter.report["reason"]) == (137, "memory"), done.stderr
        text = "trap '' TERM; setsid sh -c \"trap '' TERM; sleep 60 # $0\" $0 & sleep 60; sleep 60"
        words = ("--time", "300ms", "--kill-after", "100ms", "--", "sh", "-c", text, tagged.tag)
        done = self.run(limiter, *words)
        assert (done.returncode, limiter.report["survivors"]) == (124, 0), done.stderr
        assert tagged() == []

    def test_jobs_there_know_each_other(self, limiter):
        inner = limiter.words(["--slot", "db", "-c", "sleep 1; exit 4"], None)
        text = '"$@" & job=$!; sleep 0.6; ' + " ".join(map(shlex.quote, [*limiter.launch, "status", "--json"]))
        done = subprocess.run(
            [*self.FOREIGN, "sh", "-c", text + "; wait $job; exit $?", "sh", *inner],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        found = json.loads(done.stdout)
        assert ([job["state"] for job in found["jobs"]], found["swept"], done.returncode) == (["running"], [], 4)
