"""Jobs in pid namespaces of their own, as sandboxes have them: who shares the runtime folder with them does not take them for dead."""

import subprocess

import pytest

from tests.guards.limits.conditions import states, wait_for


@pytest.fixture
def sandboxed(any_limiter):
    """`start(*options)`: a run in a pid namespace of its own that shares the runtime folder; to us its supervisor is pid 1."""
    apart = ["unshare", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode:
        pytest.skip("no pid namespace can be had here")

    def start(*options):
        words = [*apart, *any_limiter.words(options, None)]
        return subprocess.Popen(words, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True)

    return start


def test_a_job_in_another_pid_namespace_is_let_live(any_limiter, sandboxed):
    inside = sandboxed("--slot", "db", "-c", "echo ready; read line; echo $line")
    assert inside.stdout.readline() == "ready\n"
    assert states(any_limiter) == ["running"]
    done = any_limiter("--slot", "db", "--wait=0", "--", "true")
    assert (done.returncode, "ended" in done.stderr) == (75, False)
    assert (inside.communicate("still here\n")[0], inside.returncode) == ("still here\n", 0)


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
