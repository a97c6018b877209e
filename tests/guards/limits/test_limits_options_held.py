"""Options beside memory and time, each seen from inside the limited command; the report against its documentation."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from guards.limits.limits import LimitSpec, bytes_of
from guards.limits.machine import Machine, survey
from guards.limits.settings import Settings
from guards.limits.spec import parse_amount
from guards.limits.workers import cap, environment
from tests.guards.limits.conditions import wait_for
from tests.heavy import HEAVY

ROOT = Path(__file__).resolve().parents[3]
GIB = 1 << 30


def told(limiter, *options, code):
    done = limiter(*options, "--", limiter.python, "-I", "-S", "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_per_process_limits(limiter):
    code = (
        "import resource as r\n"
        "for k in (r.RLIMIT_CORE, r.RLIMIT_AS, r.RLIMIT_FSIZE, r.RLIMIT_NOFILE, r.RLIMIT_CPU): print(*r.getrlimit(k))\n"
    )
    options = ["--address-space", "8GiB", "--file-size", "1MiB", "--open-files", "64", "--cpu-time", "10s"]
    assert told(limiter, *options, code=code) == [
        "0",
        "0",
        *[str(8 * GIB)] * 2,
        *["1048576"] * 2,
        *["64"] * 2,
        *["12"] * 2,
    ]


def test_core_files_are_off_unless_asked_for(limiter):
    code = "import resource as r; print(*r.getrlimit(r.RLIMIT_CORE))"
    assert told(limiter, code=code) == ["0", "0"]


def test_niceness(limiter):
    code = "import os; print(os.nice(0))"
    here = os.nice(0)
    assert told(limiter, code=code) == [str(min(19, here + 5))]
    assert told(limiter, "--nice", "0", code=code) == [str(here)]
    assert told(limiter, "--nice", "19", code=code) == ["19"]


def test_signals_are_as_a_program_expects_them(limiter):
    code = (
        "import _signal as s\n"
        "lines = open('/proc/self/status').read().splitlines()\n"
        "print(*[line.split()[1] for line in lines if line.startswith(('SigBlk', 'SigIgn'))])\n"
    )
    plain = subprocess.run(
        [limiter.python, "-I", "-S", "-c", code], capture_output=True, text=True, restore_signals=True
    )
    assert told(limiter, code=code) == plain.stdout.split()


def test_descriptors_arguments_and_environment_arrive(limiter):
    reader, writer = os.pipe()
    odd = {b"PATH": os.environb[b"PATH"], b"a-b": b"1", b"BASH_FUNC_f%%": b"() { :; }", b"blank name": b"\xff"}
    code = (
        f"import os, sys; os.write({writer}, b'seen'); print(len(sys.argv[1]), flush=True)\n"
        "os.write(1, open('/proc/self/environ', 'rb').read())\n"
    )
    done = subprocess.run(
        [*limiter.launch, "--memory", "none", "--", limiter.python, "-I", "-S", "-c", code, "x" * 120_000],
        env=odd, pass_fds=[writer], capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    assert os.read(reader, 10) == b"seen"
    os.close(reader)
    length, _, shown = done.stdout.partition(b"\n")
    assert length == b"120000"
    arrived = dict(entry.split(b"=", 1) for entry in shown.split(b"\0") if entry)
    del arrived[b"WITH_LIMITS_ID"]
    assert arrived == odd


def test_closed_standard_files_stay_closed(limiter):
    text = "for n in 0 2; do [ -e /proc/$$/fd/$n ] && echo $n is open; done; exit 4"
    words = ["sh", "-c", 'exec 0<&- 2>&-; exec "$@"', "sh", *limiter.launch, "-q", "-c", text]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    assert (done.returncode, done.stdout) == (4, "")


def test_cpu_share(limiter, one_cpu, slow):
    text = "(while :; do :; done) & while :; do :; done"
    done = limiter("--cpu", "0.05", "--time", "2s", "--kill-after", "100ms", "-c", text, preexec_fn=one_cpu)
    assert done.returncode == 124
    report = limiter.report
    assert report["cpu"] / report["wall"] < 0.12 * slow
    assert report["applied"].get("cpu", 0.05) == pytest.approx(0.05)
    assert report["throttled"] > 0


class TestLeftover:
    text = "setsid sh -c 'sleep {seconds}; : {tag}' >/dev/null 2>&1 & exit 3"

    def test_kill(self, limiter, tagged):
        assert limiter("-c", self.text.format(seconds=300, tag=tagged.tag)).returncode == 3
        assert tagged() == []
        assert limiter.report["leftover"] >= 1

    def test_wait(self, limiter, tagged):
        assert limiter("--leftover", "wait", "-c", self.text.format(seconds=1, tag=tagged.tag)).returncode == 3
        assert limiter.report["wall"] >= 1
        assert tagged() == []

    def test_wait_within_the_limits(self, limiter, tagged):
        text = self.text.format(seconds=300, tag=tagged.tag)
        assert limiter("--leftover", "wait", "--time", "500ms", "-c", text).returncode == 124
        assert tagged() == []

    def test_leave(self, limiter, tagged):
        assert limiter("--leftover", "leave", "-c", self.text.format(seconds=300, tag=tagged.tag)).returncode == 3
        wait_for(lambda: len(tagged()) == 1)
        kernel = not limiter.backend.startswith("proc")
        assert [job["state"] for job in limiter.jobs] == ["left"] * kernel
        assert tagged(), "a look at the jobs ends nobody that was left on purpose"
        os.killpg(tagged()[0], signal.SIGKILL)
        wait_for(lambda: limiter.jobs == [])


def test_worker_caps():
    assert cap(LimitSpec(memory=3 * GIB), 8) == 3
    assert cap(LimitSpec(memory=GIB // 2), 8) == 1
    assert cap(LimitSpec(cpu=2.4), 8) == 2
    assert cap(LimitSpec(), 8) == 8
    assert environment({b"A": b"1"}, LimitSpec(), Settings(), 8) == {b"A": b"1"}
    made = environment({b"CARGO_BUILD_JOBS": b"9"}, LimitSpec(memory=2 * GIB), Settings(), 8)
    assert (made[b"CARGO_BUILD_JOBS"], made[b"RUST_TEST_THREADS"]) == (b"9", b"2")


def test_amounts_on_a_machine():
    machine = Machine(total=16 * GIB, available=4 * GIB)
    found = {text: bytes_of(parse_amount(text), machine) for text in ("none", "1GiB", "25%", "auto")}
    assert found == {"none": None, "1GiB": GIB, "25%": 4 * GIB, "auto": int(2.8 * GIB)}
    assert bytes_of(parse_amount("auto"), machine.replace(available=15 * GIB)) == 8 * GIB
    assert bytes_of(parse_amount("auto"), Machine()) is None


def test_the_report_is_as_documented(limiter):
    """docs/limits.md lists each field once."""
    limiter("--", "true")
    table = (ROOT / "docs/limits.md").read_text().partition("| field | type |")[2].partition("\n\n")[0]
    documented = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert sorted(documented) == sorted(limiter.report)


def test_a_report_that_cannot_be_written_is_told(any_limiter):
    done = any_limiter.ask(
        "--report-json", f"{any_limiter.folder}/no/such/file", "-c", f"touch {any_limiter.folder}/ran"
    )
    assert done.returncode == 125
    assert "nothing was run" in done.stderr
    assert not (any_limiter.folder / "ran").exists()


def test_the_hot_path_imports_nothing_heavy(any_limiter):
    launch = [*any_limiter.launch]
    place = launch.index("-c") + 1
    launch[place] = launch[place].replace(
        "import posix\n", "import posix\nposix._exit, end = lambda code: None, posix._exit\n"
    ) + ("print(*sys.modules, flush=True)\nend(0)\n")
    done = subprocess.run(
        [*launch, "--memory", "1GiB", "--", "true"], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    loaded = set(done.stdout.split())
    assert "guards.limits.supervise" in loaded, done.stderr
    assert loaded & HEAVY == set()


def test_this_machine_can_be_reckoned_with():
    assert bytes_of(parse_amount("auto"), survey()) > 0
    assert json.dumps(survey().as_dict())


def test_more_processes_than_the_kernel_counts_to_are_no_fault(limiter):
    done = limiter("--pids", 1 << 30, "--", "true")
    assert (done.returncode, limiter.report["warnings"], "pids" in limiter.report["applied"]) == (0, [], True)
