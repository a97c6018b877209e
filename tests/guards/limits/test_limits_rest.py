"""A tree at rest is hardly looked at; whoever grows after a rest is seen all the same, however the memory is taken."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from guards.limits import arrivals, sampling, stillness
from guards.limits.arrivals import MOST, Arrivals
from guards.limits.sampling import Sampler
from guards.limits.stillness import STEP, Stillness

ROOT = Path(__file__).resolve().parents[3]
TAKE = "held = bytearray(b'x') * (200 << 20); time.sleep(4)"
"""For less time than passes between two walks: a walk alone would come too late."""
PRELUDE = "import ctypes, os, subprocess, sys, threading, time; time.sleep(1.2)\n"
WAYS = {
    "itself": TAKE,
    "a thread": f"threading.Thread(target=lambda: exec({TAKE!r})).start()",
    "a child": f"subprocess.run([sys.executable, '-I', '-S', '-c', {'import time; ' + TAKE!r}])",
    "a child of a thread": (
        f"threading.Thread(target=lambda: subprocess.run([sys.executable, '-I', '-S', '-c', {'import time; ' + TAKE!r}])).start()"
    ),
    "an orphan": f"os.fork() or (os.setsid(), os.fork() and os._exit(0), exec({TAKE!r}))\ntime.sleep(5)",
    "a thread whose first one has ended": (
        f"threading.Thread(target=lambda: (time.sleep(0.5), exec({TAKE!r}))).start()\nctypes.CDLL(None).syscall({60 if os.uname().machine == 'x86_64' else 93}, 0)"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_who_grows_after_a_rest_is_ended(proc_limiter, way):
    done = proc_limiter("--memory", "100MiB", "--", proc_limiter.python, "-I", "-S", "-c", PRELUDE + WAYS[way])
    assert (done.returncode, proc_limiter.report["reason"]) == (137, "memory")
    assert proc_limiter.report["survivors"] == 0


class TestArrivals:
    def test_nothing_is_said_of_the_first_two_looks(self):
        made = Arrivals()
        assert [made.may_be_ours(7, ()) for _ in range(3)] == [True, True, False]

    @pytest.mark.parametrize(
        ("latest", "expected"), [(0, True), (4_000_000, False), (3_999_999, True), (4_000_000 + MOST + 1, True)]
    )
    def test_numbers_that_are_no_arrivals(self, monkeypatch, latest, expected):
        """None told; none new; begun from the start again; more than can be looked at."""
        monkeypatch.setattr(arrivals, "_parent", lambda _: 0)
        made = Arrivals()
        for number in (4_000_000, 4_000_000):
            made.may_be_ours(number, ())
        assert made.may_be_ours(latest, ()) is expected

    @staticmethod
    def _twice(number, known):
        """What is said at the two looks after which a number is first told."""
        made = Arrivals()
        for _ in range(2):
            made.may_be_ours(number - 1, known)
        return [made.may_be_ours(number, known) for _ in range(3)]

    def test_a_child_of_ours_is_ours_until_it_is_known(self):
        child = subprocess.Popen(["sleep", "60"])
        try:
            assert self._twice(child.pid, {os.getpid()}) == [True, True, False]
            assert self._twice(child.pid, {os.getpid(), child.pid}) == [False, False, False]
            assert self._twice(child.pid, {1}) == [False, False, False]
        finally:
            child.kill()
            child.wait()

    def test_a_thread_of_ours_is_ours(self):
        told, end = [], threading.Event()
        thread = threading.Thread(target=lambda: (told.append(threading.get_native_id()), end.wait()))
        thread.start()
        try:
            while not told:
                time.sleep(0.001)
            assert self._twice(told[0], {os.getppid(), os.getpid()})[0] is True
        finally:
            end.set()
            thread.join()


class TestStillness:
    @pytest.mark.parametrize(
        ("used", "expected"),
        [(0.0, True), (0.05, True), (0.051, False), (-STEP, True), (-STEP - 0.001, False), (None, False)],
    )
    def test_what_may_be_used(self, monkeypatch, used, expected):
        told = [0.0]
        monkeypatch.setattr(Stillness, "_used", lambda _: told[0])
        made = Stillness()
        made.mark()
        told[0] = used
        assert made.within(0.05) is expected
        made.close()

    def test_without_a_mark_nothing_is_still(self):
        made = Stillness()
        assert not made.within(1e9)
        made.close()

    def test_who_works_is_not_still(self):
        made = Stillness()
        made.mark()
        began = time.thread_time()
        while time.thread_time() - began < 0.3:
            pass
        assert not made.within(0.1)
        assert made.within(1e6) is made.known
        made.close()

    def test_processors_that_come_or_go_end_the_reckoning(self, monkeypatch, tmp_path):
        online = tmp_path / "online"
        online.write_text("0-1\n")
        monkeypatch.setattr(stillness, "ONLINE", str(online))
        monkeypatch.setattr(stillness, "kernels_own", lambda *_: True)
        made = Stillness()
        made.mark()
        assert made.within(1e6) is made.known
        online.write_text("0-2\n")
        assert not made.within(1e6)
        made.close()

    @pytest.mark.parametrize(("listed", "count"), [(b"0\n", 1), (b"0-3\n", 4), (b"0,2-3,8-15\n", 11)])
    def test_processors_are_counted_as_they_are_listed(self, listed, count):
        assert stillness.count(listed) == count

    @pytest.mark.parametrize("name", ["UPTIME", "ONLINE"])
    def test_a_file_of_somebody_elses_making_tells_nothing(self, monkeypatch, tmp_path, name):
        (tmp_path / "uptime").write_text("1000.00 99999999.00\n")
        monkeypatch.setattr(stillness, name, f"{tmp_path}/uptime")
        made = Stillness()
        made.mark()
        assert not made.known
        assert not made.within(1e9)
        made.close()


class TestSampler:
    @pytest.fixture
    def trees(self):
        """A shell with three children, and a sampler of it."""
        shell = subprocess.Popen(["sh", "-c", "sleep 60 & sleep 60 & sleep 60 & wait"], start_new_session=True)
        made = Sampler(os.getpid(), frozenset(), 1000)
        while len(made.walk().pids) < 4:
            time.sleep(0.01)
        time.sleep(0.1)
        yield made, shell
        made.close()
        os.killpg(shell.pid, 9)
        shell.wait()

    def test_a_second_look_says_what_a_walk_says(self, trees):
        made, _ = trees
        walked = made.walk()
        assert made.again() == walked
        assert made.known >= {os.getpid(), *walked.pids}

    def test_after_an_end_the_tree_is_walked(self, trees):
        made, shell = trees
        walked = made.walk()
        gone = next(pid for pid in walked.pids if pid != shell.pid)
        os.kill(gone, 9)
        while Path(f"/proc/{gone}").exists() and b"Z" not in Path(f"/proc/{gone}/stat").read_bytes():
            time.sleep(0.001)
        assert made.again() is None
        assert gone not in made.walk().pids

    @pytest.mark.parametrize("descriptors", [40, 100, 400])
    def test_few_descriptors_hide_nobody(self, descriptors):
        """With as many processes as descriptors; beyond what may stay open, files are opened at each look."""
        text = f"""
import os, resource, subprocess, sys, time
sys.path.insert(0, {str(ROOT)!r})
from guards.limits.sampling import Sampler
resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}))
shell = subprocess.Popen(["sh", "-c", "for i in $(seq 99); do sleep 60 & done; wait"], start_new_session=True)
made = Sampler(os.getpid(), frozenset(), 1000)
end = time.monotonic() + 60
while len(made.walk().pids) < 100 and time.monotonic() < end:
    time.sleep(0.01)
print(len(made.walk().pids), len((made.again() or made.walk()).pids))
os.killpg(shell.pid, 9)
"""
        done = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["100", "100"]

    @pytest.mark.skipif(os.sysconf("SC_PAGE_SIZE") > 4096, reason="it would take too many processes")
    def test_of_a_parent_with_very_many_children_all_are_seen(self):
        """One read tells no more than a page of them."""
        text = f"""
import os, signal, sys
sys.path.insert(0, {str(ROOT)!r})
from guards.limits.sampling import Sampler
pids = []
for _ in range(830):
    if not (pid := os.fork()):
        signal.pause()
    pids.append(pid)
made = Sampler(os.getpid(), frozenset(), 2000)
print(len(made.children()), len(made.walk().pids), made.walk().threads)
for pid in pids:
    os.kill(pid, 9)
"""
        done = subprocess.run([sys.executable, "-I", "-c", text], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["830"] * 3

    @pytest.mark.parametrize("kept", [0, 300])
    def test_who_goes_while_being_looked_at_leaves_no_file_open(self, trees, monkeypatch, kept):
        made, _ = trees
        made._forget(set())
        made._kept = kept
        before = len(os.listdir("/proc/self/fd"))

        def gone(*_):
            raise ProcessLookupError

        monkeypatch.setattr(sampling.posix, "pread", lambda file, *_: gone() if file != made._own else children)
        children = os.pread(made._own, 4096, 0)
        assert made.walk().pids == ()
        assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("free", range(6))
def test_without_free_descriptors_nothing_runs_on(proc_limiter, tagged, free):
    """A look that cannot open a file says nothing of a process: the limit holds, or the run ends as our failure."""
    code = f"import time; held = bytearray(b'x') * (200 << 20); time.sleep(60)  # {tagged.tag}"
    line = f'ulimit -n {11 + free}; exec "$@"'
    words = proc_limiter.words(["--memory", "60MiB", "--", sys.executable, "-I", "-S", "-c", code], None)
    done = subprocess.run(["bash", "-c", line, "bash", *words], capture_output=True, text=True)
    assert done.returncode == 137 or (done.returncode, "raise `ulimit -n`" in done.stderr) == (125, True)
    assert tagged() == []
