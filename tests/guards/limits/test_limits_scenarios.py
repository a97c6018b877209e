"""Reported failures of other limiters, each as a run of ours; the ids are those of the scenario collection, which a last test counts."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from guards.limits.machine import survey
from tests.guards.limits.conditions import wait_for

SHARED = Path(__file__).resolve().parents[3] / "../shared/cases/scenarios.jsonl"


def deaf():
    """For `preexec_fn`: the command never hears SIGTERM, however late it starts."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def python(limiter, code):
    return ["--", limiter.python, "-I", "-S", "-c", code]


def test_c478_address_space_is_not_memory(limiter):
    """V8 and WebAssembly reserve far more addresses than they use."""
    code = "import mmap; m = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); m[:5] = b'hello'"
    assert limiter("--memory", "256MiB", *python(limiter, code)).returncode == 0
    assert limiter("--address-space", "8GiB", *python(limiter, code)).returncode == 1


def test_c479_other_processes_of_the_user_do_not_count(limiter):
    busy = subprocess.Popen(["sh", "-c", "for i in $(seq 60); do sleep 60 & done; wait"], start_new_session=True)
    try:
        assert limiter("--pids", "30", "-c", "for i in 1 2 3; do true & done; wait").returncode == 0
    finally:
        os.killpg(busy.pid, signal.SIGKILL)
        busy.wait()


def test_c480_one_line_says_what_happened(limiter):
    done = limiter("--memory", "100MiB", *python(limiter, "x = [bytearray(b'x') * (1 << 20) for _ in range(400)]"))
    assert done.returncode == 137
    assert re.fullmatch(
        r"with-limits: memory limit 100 MiB reached \(peak \d+ MiB.*\); killed \d+ process.*; backend \w+\n",
        done.stderr,
    )


def test_c481_workers_are_capped(any_limiter):
    text = "echo $PYTEST_XDIST_AUTO_NUM_WORKERS $CARGO_BUILD_JOBS"
    capped = any_limiter("--cpu", "1", "-c", text).stdout.split()
    assert capped == (["1", "1"] if survey().cpus > 1 else [])
    environment = {**os.environ, "PYTEST_XDIST_AUTO_NUM_WORKERS": "7"}
    assert any_limiter("--cpu", "1", "-c", text, env=environment).stdout.split()[0] == "7"


def test_c482_the_tree_limit_is_the_guarantee(limiter):
    """Each worker takes far more than the estimate; together they stay inside."""
    code = (
        "import os\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        x = bytearray(b'x') * (90 << 20); import time; time.sleep(20); os._exit(0)\n"
        "for _ in range(4): os.wait()\n"
    )
    assert limiter("--memory", "200MiB", *python(limiter, code)).returncode == 137


def test_c483_all_descendants_end_with_the_request(limiter, tagged):
    text = f"for i in $(seq 12); do (setsid sh -c 'sleep 300; : {tagged.tag}' &) ; done; echo ready; sleep 300"
    process = limiter.start("-c", text, stdout=-1, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    process.stdout.close()
    assert tagged() == []


def test_c484_setsid_double_fork_then_the_parent_is_killed(limiter, tagged):
    text = f"(setsid sh -c 'sleep 300; : {tagged.tag}' &); kill -9 $$"
    assert limiter("-c", text).returncode == -9
    assert tagged() == []


def test_c485_a_deaf_child_costs_bounded_time(limiter):
    done = limiter("--time", "200ms", "--kill-after", "300ms", "--", "sleep", "300", preexec_fn=deaf)
    assert done.returncode == 124
    assert limiter.report["wall"] >= 0.5
    assert limiter.report["killed"] == 1


def test_c486_background_children_end_with_the_shell(limiter, tagged):
    text = f"for c in 1 2 3; do (while :; do :; done; : {tagged.tag}) & done; sleep 0.2"
    done = limiter("--kill-after", "200ms", "-c", text)
    assert done.returncode == 0
    assert limiter.report["leftover"] == 3
    assert tagged() == []


def test_c487_plain_tools_have_cpu_time_too(limiter):
    done = limiter("--cpu-time", "500ms", "--kill-after", "100ms", "--", "sh", "-c", "yes | grep -c nothing")
    assert done.returncode == 152


def test_c488_the_next_run_ends_what_a_killed_one_left(limiter, tagged):
    process = limiter.start("-c", f"setsid sh -c 'sleep 300; : {tagged.tag}' & echo ready; sleep 300", stdout=-1)
    assert process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    done = limiter("--", "true")
    assert "processes that a killed run had left" in done.stderr
    wait_for(lambda: not tagged())


def test_c489_the_limit_is_never_the_callers(limiter):
    """What stands beside us in our own group takes no harm when the limit is hit."""
    beside = subprocess.Popen(["sleep", "60"])
    assert limiter("--memory", "64MiB", *python(limiter, "x = bytearray(b'x') * (200 << 20)")).returncode == 137
    assert beside.poll() is None
    beside.kill()
    beside.wait()


def test_c490_a_killed_child_does_not_end_what_is_outside(limiter):
    """Asked to, the limiter lets the rest of the tree go on after the kernel killed one."""
    code = (
        "import os\n"
        "pid = os.fork()\n"
        "if not pid:\n"
        "    x = bytearray(b'x') * (200 << 20); os._exit(0)\n"
        "print('still here', os.waitpid(pid, 0)[1], flush=True)\n"
    )
    done = limiter("--memory", "64MiB", "--oom-partial=ok", *python(limiter, code))
    if limiter.backend.startswith("proc"):
        assert done.returncode == 137
    else:
        assert (done.returncode, done.stdout) == (0, "still here 9\n")
        assert limiter.report["reason"] == "memory"


def test_c491_without_a_bus_the_level_is_said_once(open_folder, proc_limiter):
    if os.geteuid() != 0:
        pytest.skip("only root can take its own rights away")
    words = ["env", "-i", "PATH=/usr/bin:/bin", *proc_limiter.launch]
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env"]
    open_folder.chmod(0o777)
    public = next(path for path in ("/usr/bin/python3", shutil.which("python3")) if path)
    words[words.index(proc_limiter.python)] = public
    first, second = (subprocess.run([*drop, *words, "--", "true"], capture_output=True, text=True) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stderr.startswith("with-limits: no kernel limit here, the tree is sampled instead (")
    assert "systemd" in first.stderr or "bus" in first.stderr or "user's manager" in first.stderr
    assert second.stderr == ""
    refused = subprocess.run([*drop, *words, "--require-kernel", "--", "true"], capture_output=True, text=True)
    assert refused.returncode == 125
    assert "no kernel limit can be had here" in refused.stderr


def test_c492_page_cache_is_no_reason(limiter):
    """A file three times the limit is written and read: the pages are the kernel's to drop."""
    big = limiter.folder / "big"
    text = f"dd if=/dev/zero of={big} bs=1M count=200 2>/dev/null && cat {big} >/dev/null && rm {big}"
    limiter.folder.chmod(0o777)
    done = limiter("--memory", "64MiB", "-c", text)
    assert done.returncode == 0, done.stderr
    assert (limiter.report["peak_own"] or 0) < 64 << 20


def test_c493_all_jobs_together_have_a_limit(open_folder, limiter, own_place):
    """The slice above the jobs holds less than their limits add up to."""
    if limiter.backend.startswith("proc"):
        pytest.skip("without the kernel, admission alone keeps the sum")
    config = open_folder / "config"
    config.mkdir()
    (config / "config.toml").write_text('[limits]\naggregate = "300MiB"\n')
    code = "x = bytearray(b'x') * (200 << 20); print(flush=True); input()"
    words = ["--memory", "250MiB", *python(limiter, code)]
    named = {"stdin": -1, "stdout": -1, "stderr": subprocess.DEVNULL, "preexec_fn": own_place}
    jobs = [limiter.start(*words, **named) for _ in range(2)]
    try:
        wait_for(lambda: any(job.poll() is not None for job in jobs))
    finally:
        for job in jobs:
            job.communicate(b"\n")
    assert sorted(job.returncode for job in jobs) == [0, 137]


def test_c494_a_run_inside_a_run_is_known_as_such(limiter):
    """The uv shim inside a rewritten request: one budget, one place in the queue."""
    inner = limiter.words(["--slot", "one", "--wait=10s", "--", "true"], None)
    code = (
        f"import os; os.execv({inner[0]!r}, {inner!r})"
        if "/" in inner[0]
        else f"import os; os.execvp({inner[0]!r}, {inner!r})"
    )
    if limiter.unprivileged:
        inner = inner[inner.index("env") + 1 :]
        code = f"import os; os.execv({inner[0]!r}, {inner!r})"
    done = limiter("--slot", "one", *python(limiter, code))
    assert done.returncode == 0, done.stderr


def test_c496_the_shell_itself_is_inside(limiter):
    text = "x=$(head -c 40000000 /dev/zero | tr '\\0' x); y=$x$x$x$x$x$x; echo ${#y}"
    done = limiter("--memory", "64MiB", "-c", text)
    assert done.returncode == 137, done.stdout


@pytest.mark.parametrize("size", ["1M", "100k", "1"])
def test_c497_absurd_limits_are_refused(any_limiter, size):
    done = any_limiter("--memory", size, "--", "true")
    assert done.returncode == 125
    assert "too small for any program" in done.stderr


def test_c498_tied_to_a_process(limiter, tagged):
    master = subprocess.Popen(["sleep", "300"])
    process = limiter.start(
        "--tie-to", master.pid, "--kill-after", "200ms", "-c", f"echo; sleep 300; : {tagged.tag}", stdout=-1
    )
    assert process.stdout.readline()
    master.kill()
    master.wait()
    assert process.wait(30) == 143
    process.stdout.close()
    assert tagged() == []
    assert limiter.report["reason"] == "tie"
    assert limiter("--tie-to", master.pid, "--", "true").returncode == 125


def test_c499_limited_trees_are_the_first_victims(limiter):
    assert limiter("-c", "cat /proc/self/oom_score_adj").stdout == "500\n"


@pytest.mark.parametrize(("text", "code"), [("exit 7", 7), ("kill -SEGV $$", -signal.SIGSEGV)])
def test_c500_the_end_is_the_commands_own(limiter, text, code):
    assert limiter("--", "sh", "-c", text).returncode == code


def test_c495_docs_say_what_a_container_client_is():
    docs = (Path(__file__).resolve().parents[3] / "docs/limits.md").read_text()
    assert "docker exec" in docs
    assert "outside" in docs


def test_every_scenario_is_here():
    if not SHARED.exists():
        pytest.skip("the scenario collection is not at hand")
    wanted = {
        found["id"] for line in SHARED.read_text().splitlines() if (found := json.loads(line))["kind"] == "limiter"
    }
    assert wanted <= {f"C{number}" for number in re.findall(r"def test_c(\d{3})", Path(__file__).read_text())}
