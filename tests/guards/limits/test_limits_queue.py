"""Jobs beside jobs: order, slots, reservations, killed holders, jobs within jobs."""

import json
import os
import re
import signal
import time

import pytest

from guards.limits import beat, ledger
from guards.limits.ledger import Job
from guards.limits.machine import Machine, survey
from guards.limits.procfs import numbering, stat
from guards.limits.spec import Amount
from guards.limits.store import Store
from tests.guards.limits.conditions import states, wait_for


def test_a_slot_is_held_by_one_at_a_time(any_limiter, gate):
    first = gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    second = gate("--slot", "db")
    wait_for(lambda: states(any_limiter) == ["running", "waiting"])
    other = gate("--slot", "port")
    wait_for(lambda: gate.began() == 2)
    waiting = any_limiter.jobs[1]
    assert (waiting["place"], waiting["why"], waiting["slot"]) == (1, ["slot"], "db")
    gate.open()
    assert [process.wait(60) for process in (first, second, other)] == [0, 0, 0]
    assert any_limiter.jobs == []


def test_a_slot_for_two(any_limiter, gate):
    gate("--slot", "db=2")
    gate("--slot", "db=2")
    wait_for(lambda: gate.began() == 2)
    gate("--slot", "db=2")
    wait_for(lambda: sorted(states(any_limiter)) == ["running", "running", "waiting"])


def test_the_order_of_the_queue_is_kept(any_limiter, gate):
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    order = any_limiter.folder / "order"
    waiting = []
    for number in range(5):
        waiting.append(any_limiter.start("--slot", "db", "-c", f"echo {number} >>{order}"))
        wait_for(lambda: len(any_limiter.jobs) == len(waiting) + 1)
    gate.open()
    assert [process.wait(60) for process in waiting] == [0] * 5
    assert order.read_text().split() == ["0", "1", "2", "3", "4"]


def test_a_wait_that_is_over_runs_nothing(any_limiter, gate):
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    for wait in ("0", "300ms"):
        done = any_limiter("--slot", "db", f"--wait={wait}", "-c", f"touch {any_limiter.folder}/ran")
        assert done.returncode == 75
        assert "slot db is held by" in done.stderr
        assert ("not admitted within 300 ms: " in done.stderr) == (wait != "0")
    assert not (any_limiter.folder / "ran").exists()
    assert states(any_limiter) == ["running"]


def test_what_can_never_fit_is_refused_at_once(any_limiter):
    done = any_limiter("--wait", "--reserve", survey().total, "--", "true")
    assert done.returncode == 75
    assert "more than this machine could ever give" in done.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--min-memory-free-percent", "100"], "memory"),
        (["--max-load-per-cpu", "0"], "load"),
    ],
)
def test_a_threshold_alone_decides_at_once(any_limiter, options, reason):
    done = any_limiter(*options, "--memory", "64MiB", "--", "true")
    assert done.returncode == 75
    looked = json.loads(any_limiter.ask("--check-headroom", "--json", *options, "--reserve", "64MiB").stdout)
    assert reason in looked["refusing"]
    assert looked["admitted"] is False


def test_headroom_is_told_in_words_and_by_the_code(any_limiter):
    assert any_limiter.ask("--check-headroom").returncode == 0
    done = any_limiter.ask("--check-headroom", "--min-memory-free-percent", "100", "--reserve", "1g")
    assert done.returncode == 75
    assert done.stdout.startswith("refused: ")


def test_ten_jobs_of_a_third_each(any_limiter, gate):
    """Budgets never add up to more than there is room; all come to run; none is killed."""
    budget = int(survey().total * 0.3)
    jobs = [gate("--wait", "--memory", "256MiB", "--reserve", budget) for _ in range(10)]
    wait_for(lambda: len(any_limiter.jobs) == 10)
    wait_for(lambda: gate.began() >= 1)
    for _ in range(10):
        running = [job for job in any_limiter.jobs if job["state"] == "running"]
        assert sum(job["budget"] for job in running) <= survey().total * 0.9
        time.sleep(0.1)
    gate.open()
    assert [job.wait(120) for job in jobs] == [0] * 10


def test_a_killed_holder_frees_its_place_in_two_seconds(any_limiter, gate, tagged):
    holder = any_limiter.start(
        "--slot", "db", "-c", f"echo {tagged.tag}; setsid sh -c 'sleep 300; : {tagged.tag}' & sleep 300", stdout=-1
    )
    assert holder.stdout.readline()
    waiting = gate("--slot", "db")
    wait_for(lambda: states(any_limiter) == ["running", "waiting"])
    holder.kill()
    began = time.monotonic()
    holder.wait()
    holder.stdout.close()
    wait_for(lambda: gate.began() == 1, 10)
    took = time.monotonic() - began
    assert states(any_limiter) == ["running"]
    wait_for(lambda: not tagged())
    gate.open()
    assert waiting.wait(60) == 0
    print(f"freed after {took:.2f} s")


def test_a_job_within_a_job_takes_no_second_place(any_limiter, gate):
    """Waiting for the slot that the outer job holds would never end."""
    inner = " ".join(f"'{word}'" if " " in word or "(" in word else word for word in ["sh", "-c", "exit 5"])
    script = any_limiter.folder / "inner"
    words = any_limiter.words(["--slot", "db", "--wait=20s", "--", "sh", "-c", "exit 5"], None)
    script.write_text("import subprocess, sys\nsys.exit(subprocess.call(" + repr(words) + "))\n")
    done = any_limiter("--slot", "db", "--", any_limiter.python, script)
    assert done.returncode == 5, (done.stderr, inner)
    assert any_limiter.report["code"] == 5


def test_the_marker_counts_only_for_a_live_ancestor(any_limiter, gate):
    """A marker that was kept from somewhere else is no way past the queue."""
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    holder = any_limiter.jobs[0]["id"]
    for marker in (holder, "1-1", "999999-1", "x"):
        environment = {**os.environ, "WITH_LIMITS_ID": marker}
        assert any_limiter("--slot", "db", "--wait=0", "--", "true", env=environment).returncode == 75


def test_an_interrupted_wait_leaves_no_record(any_limiter, gate):
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    process = any_limiter.start("--slot", "db", "--", "true")
    wait_for(lambda: len(any_limiter.jobs) == 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == -signal.SIGINT
    assert states(any_limiter) == ["running"]


def test_waiting_is_told_in_words(any_limiter, gate):
    gate("--slot", "db")
    wait_for(lambda: gate.began() == 1)
    process = any_limiter.start("--slot", "db", "--", "true", stderr=-1, text=True)
    said = process.stderr.readline()
    assert re.match(r"with-limits: waiting for \d+\.\d s, place 1: slot db is held by \d+\n", said)
    gate.open()
    assert process.communicate() == (None, "")
    assert process.returncode == 0


ODD_LINES = """\
1\t2\t3
nan\tx
1e999\t5\t1\t1\texit\t0\tendless\t/
1\t5\tnan\t1\texit\t0\tno number\t/
1\t-5\t1\t1\texit\t0\tnegative\t/
1\t99999999999999999999\t1\t1\texit\t0\thuge\t/
"""


@pytest.mark.parametrize(
    "put",
    [os.mkdir, os.mkfifo, lambda path: path.symlink_to("/etc/passwd"), lambda path: path.write_text(ODD_LINES)],
    ids=["folder", "pipe", "link", "odd lines"],
)
def test_a_history_that_is_none_hinders_nobody(any_limiter, put):
    (any_limiter.folder / "state").mkdir()
    path = any_limiter.folder / "state/limits-history.tsv"
    put(path)
    assert any_limiter("--wait=10", "-c", "exit 3").returncode == 3
    told = any_limiter.ask("history", "--json")
    assert (told.returncode, told.stderr) == (0, "")
    assert [run["command"] for run in json.loads(told.stdout)] == (
        ["exit 3"] if path.is_file() and not path.is_symlink() else []
    )
    assert any_limiter.ask("history").returncode == 0


def test_history_and_what_it_teaches(any_limiter):
    words = ("--", any_limiter.python, "-I", "-S", "-c", "x = bytearray(b'x') * (80 << 20)")
    for _ in range(3):
        assert any_limiter(*words).returncode == 0
    told = json.loads(any_limiter.ask("history", "--json").stdout)
    assert [entry["reason"] for entry in told] == ["exit"] * 3
    assert all(70 << 20 < entry["peak"] < 200 << 20 for entry in told)
    process = any_limiter.start("--wait", *words[:-1], "import time; print(flush=True); time.sleep(300)", stdout=-1)
    assert process.stdout.readline()
    assert 70 << 20 < any_limiter.jobs[0]["budget"] < 200 << 20
    process.terminate()
    process.wait(20)
    process.stdout.close()
    assert "4 runs" in any_limiter.ask("history").stdout


def test_what_a_job_is_called_and_where_it_runs_is_shown_escaped(any_limiter):
    folder = any_limiter.folder / "odd\x1b]0;title\x07\nname"
    folder.mkdir()
    process = any_limiter.start("--", "sleep", "300", cwd=folder)
    wait_for(lambda: any_limiter.jobs)
    shown = any_limiter.ask("status").stdout
    process.terminate()
    process.wait(20)
    assert shown.count("\n") == 1
    assert "odd\\x1b]0;title\\x07\\nname" in shown
    assert "\x1b" not in any_limiter.ask("history").stdout


class TestReserve:
    """When the machine falls below its reserve, one job ends: the one that takes most."""

    @pytest.fixture
    def beats(self, tmp_path, monkeypatch):
        monkeypatch.setattr(beat, "survey", lambda **_: Machine(total=16 << 30, available=100 << 20))
        store = Store(f"{tmp_path}/jobs")
        own = stat("self")

        def make(memory, identity=None):
            identity = identity or f"{own.pid}-{own.start}"
            job = Job(identity, numbering(), "running", budget=1 << 30, observed=memory, seen=time.monotonic())
            ledger.publish(store, job)
            return beat.Beat(store, job, FakeBackend(memory), Amount("percent", 2))

        yield make
        store.close()

    def test_the_largest_ends(self, beats):
        assert beats(500 << 20)(0.0) == "host"

    def test_what_is_noted_of_the_last_end_may_be_unreadable(self, beats, open_folder):
        made = beats(500 << 20)
        made.store.write(".relief", "somebody lately")
        assert made(0.0) == "host"

    def test_a_small_one_stays(self, beats):
        assert beats(10 << 20)(0.0) == ""

    def test_the_smaller_of_two_stays(self, beats):
        neighbour = stat(os.getppid())
        beats(900 << 20, f"{neighbour.pid}-{neighbour.start}")
        assert beats(500 << 20)(0.0) == ""

    def test_the_next_one_waits_for_what_the_first_gives_back(self, beats):
        first = beats(500 << 20)
        assert first(0.0) == "host"
        assert first(1.0) == ""

    def test_with_enough_left_nothing_ends(self, beats, monkeypatch):
        monkeypatch.setattr(beat, "survey", lambda **_: Machine(total=16 << 30, available=1 << 30))
        assert beats(500 << 20)(0.0) == ""


class FakeBackend:
    def __init__(self, memory):
        self.memory = lambda **_: memory
