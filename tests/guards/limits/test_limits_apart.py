"""Jobs in pid namespaces of their own, as sandboxes have them: who shares the runtime folder with them does not take them for dead."""

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
