"""Codes, reasons and survivors of real runs, with every backend."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from guards.limits import ledger
from guards.limits.procfs import apart
from guards.limits.store import Store
from tests.guards.limits.conditions import wait_for

MEMORY = "import time; x = bytearray(300 << 20); time.sleep(60)"
ESCAPES = {
    "plain": "sleep 300 {tag} & sleep 300 {tag}",
    "setsid": "setsid sleep 300 {tag} & sleep 300 {tag}",
    "double fork": "(setsid sh -c 'sleep 300 {tag} & sleep 300 {tag} &' &) ; sleep 300 {tag}",
    "cleared environment": "env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 300 {tag} & exec /bin/sleep 300 {tag}' & sleep 300 {tag}",
    "deaf": "trap '' TERM INT HUP; setsid sh -c \"trap '' TERM INT HUP; sleep 300 {tag}; sleep 300 {tag}\" & sleep 300 {tag}; sleep 300 {tag}",
    "leader first": "setsid sh -c 'sleep 300 {tag}' & (sleep 300 {tag} &) ; exit 0",
    "forks on": "f() {{ while :; do sleep 0.01 {tag} & done; }}; setsid sh -c 'while :; do sleep 0.01 {tag} & sleep 0.01; done' & f",
}


@pytest.fixture
def sleeper(limiter, open_folder):
    """`sleep` that takes a second word: the mark by which the test finds it."""
    path = open_folder / "bin" / "sleep"
    path.parent.mkdir()
    path.write_text(f"#!{limiter.python} -ISB\nimport sys, time\ntime.sleep(float(sys.argv[1]))\n")
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}"}


@pytest.mark.parametrize("name", ESCAPES)
def test_nobody_survives(limiter, tagged, sleeper, name, slow):
    text = ESCAPES[name].format(tag=tagged.tag).replace("/bin/sleep", str(limiter.folder / "bin/sleep"))
    time = 30_000 if name == "leader first" else 700
    done = limiter("--time", f"{time * slow}ms", "--kill-after", "100ms", "--pids", "200", "-c", text, env=sleeper)
    assert tagged() == []
    allowed = {"leader first": {0}, "forks on": {124, 137, 2}}.get(
        name, {124}
    )  # 2: the shell's, when the kernel refuses a fork
    assert done.returncode in allowed, done.stderr
    assert limiter.report["survivors"] == 0


def test_memory(limiter):
    done = limiter("--memory", "100MiB", "--", limiter.python, "-c", MEMORY)
    assert done.returncode == 137
    assert done.stderr.count("\n") == 1
    assert "memory limit 100 MiB reached" in done.stderr
    assert limiter.report["reason"] == "memory"
    assert limiter.report["applied"]["memory"] == 100 << 20


def test_memory_of_a_child_whose_parent_ends_well(limiter):
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {MEMORY!r}])"
    done = limiter("--memory", "100MiB", "--", limiter.python, "-c", code)
    assert done.returncode == 137, done.stderr
    assert limiter.report["reason"] == "memory"


def test_oom_partial_keeps_the_commands_own_code(limiter):
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {MEMORY!r}]); sys.exit(5)"
    done = limiter("--memory", "100MiB", "--oom-partial=ok", "--", limiter.python, "-c", code)
    assert done.returncode in ((137,) if limiter.backend.startswith("proc") else (5, 137))


def test_time(limiter):
    done = limiter("--time", "300ms", "--", "sleep", "60")
    assert done.returncode == 124
    assert "time limit 300 ms reached" in done.stderr
    assert limiter.report["reason"] == "time"


def test_a_graceful_end_within_the_grace_time(limiter):
    """The reason comes when the command is ready for it: one that a test can choose."""
    master = subprocess.Popen(["sleep", "300"])
    text = "trap 'echo bye; exit 9' TERM; echo ready; while :; do sleep 0.05; done"
    process = limiter.start("--tie-to", master.pid, "--kill-after", "60s", "-c", text, stdout=-1, text=True)
    assert process.stdout.readline() == "ready\n"
    master.kill()
    master.wait()
    assert (process.communicate()[0], process.returncode) == ("bye\n", 143)
    assert limiter.report["killed"] == 0


def test_cpu_time(limiter):
    done = limiter("--cpu-time", "300ms", "--kill-after", "100ms", "-c", "while :; do :; done")
    assert done.returncode == 152
    assert limiter.report["reason"] == "cpu-time"
    assert limiter.report["cpu"] >= 0.3


def test_cpu_time_of_many_is_summed(limiter):
    text = "for i in 1 2 3; do (while :; do :; done) & done; wait"
    done = limiter("--cpu-time", "600ms", "--kill-after", "100ms", "-c", text)
    assert done.returncode == 152, done.stderr


@pytest.mark.parametrize(
    ("text", "code"), [("exit 7", 7), ("exit 0", 0), ("exit 124", 124), ("kill -SEGV $$", -11), ("kill -TERM $$", -15)]
)
def test_the_commands_own_end(limiter, text, code):
    done = limiter("--", "sh", "-c", text)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_a_kill_from_outside_is_not_called_a_limit(limiter):
    done = limiter("--", "sh", "-c", "kill -KILL $$")
    assert done.returncode == -9
    assert "no limit sent" in done.stderr
    assert limiter.report["reason"] == "signal"


@pytest.mark.parametrize(
    ("word", "code", "why"),
    [
        ("no-such-command", 127, "no command of that name on PATH"),
        ("/no/such/command", 127, "No such file or directory"),
        ("/etc/passwd/x", 127, "Not a directory"),
        ("/etc/passwd", 126, "it is not marked as executable (chmod +x /etc/passwd,"),
        ("/", 126, "it is a folder"),
        ("./lost", 127, "the interpreter or loader that it names is not"),
        ("/" + "x" * 300, 126, "File name too long"),
    ],
)
def test_a_command_that_does_not_start(limiter, word, code, why):
    (limiter.folder / "lost").write_text("#!/no/such/interpreter\n")
    (limiter.folder / "lost").chmod(0o755)
    done = limiter("--", word, cwd=limiter.folder)
    assert done.returncode == code
    assert done.stderr.startswith("with-limits: cannot run")
    assert why in done.stderr
    assert len(done.stderr) < 250
    assert limiter.report["reason"] == "not-started"


def test_a_command_without_a_name_is_not_found(limiter):
    done = limiter("--", "")
    assert (done.returncode, done.stderr.count("cannot run ''")) == (127, 1)
    assert limiter.report["reason"] == "not-started"


def test_a_script_without_a_shebang_runs(limiter):
    script = limiter.folder / "script"
    script.write_text('exit "$1"\n')
    script.chmod(0o755)
    assert limiter("--", script, "4").returncode == 4


def test_usage_is_ours(any_limiter):
    done = any_limiter("--nonsense", "true")
    assert done.returncode == 125
    assert "unknown option" in done.stderr


def test_processes(limiter):
    """The kernel refuses forks and the command goes on; without it the tree is ended."""
    text = "for i in $(seq 40); do sleep 300 & done; wait"
    done = limiter("--pids", "15", "-c", text)
    if limiter.backend.startswith("proc"):
        assert done.returncode == 137
        assert limiter.report["reason"] == "processes"
    else:
        assert limiter.report["forks_refused"] >= 1
        assert limiter.report["processes"] <= 15


def test_threads_are_counted_too(limiter):
    code = "import threading, time\nfor _ in range(40): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()"
    done = limiter("--pids", "15", "--", limiter.python, "-c", code + "\ntime.sleep(20)")
    if limiter.backend.startswith("proc"):
        assert (done.returncode, limiter.report["reason"]) == (137, "processes")
    else:
        assert limiter.report["forks_refused"] == 1
        assert limiter.report["processes"] <= 15


def test_a_limit_inside_is_the_inner_jobs_matter(limiter):
    """The outer command is told the inner one's code, and goes on."""
    inner = limiter.words(["--memory", "50MiB", "--", limiter.python, "-c", MEMORY], None)
    inner = inner[inner.index("env") + 1 :] if limiter.unprivileged else inner
    code = f"import subprocess, time; code = subprocess.run({inner!r}).returncode; time.sleep(0.3); raise SystemExit(code - 100)"
    done = limiter("--memory", "300MiB", "--", limiter.python, "-c", code)
    assert (done.returncode, limiter.report["reason"]) == (37, "exit"), done.stderr


def test_an_end_is_seen_by_one_who_was_started_deaf(limiter):
    """Whoever starts us may have blocked signals; they stay so for the command, but ends of children are told to us."""
    text = "sleep 0.3; exit 5"
    started = limiter("-c", text, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD]))
    assert started.returncode == 5
    assert limiter.report["wall"] < 60


def test_a_signal_is_passed_on_and_the_answer_kept(limiter):
    text = "trap 'exit 23' TERM; echo ready; while :; do sleep 0.05; done"
    process = limiter.start("-c", text, stdout=-1, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 23
    process.stdout.close()


def test_a_deaf_command_ends_after_the_grace_time(limiter, tagged, sleeper):
    text = f"trap '' TERM; echo ready; sleep 300 {tagged.tag}; sleep 300 {tagged.tag}"
    process = limiter.start("--kill-after", "200ms", "-c", text, stdout=-1, text=True, env=sleeper)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == -signal.SIGTERM
    assert tagged() == []
    assert limiter.report["reason"] == "interrupted"
    process.stdout.close()


def test_a_kill_of_the_supervisor_takes_the_command_along(limiter, tagged, sleeper):
    """The command dies at once; what it had started is ended by the next `status` or run."""
    text = f"setsid sleep 300 {tagged.tag} & echo ready; exec sleep 300 {tagged.tag}"
    process = limiter.start("-c", text, stdout=-1, text=True, env=sleeper)
    assert process.stdout.readline() == "ready\n"
    wait_for(lambda: len(tagged()) == 3)  # the supervisor carries the words too
    process.kill()
    process.wait(20)
    process.stdout.close()
    wait_for(lambda: len(tagged()) == 1)
    swept = limiter.ask("status")
    assert "ended 1 process that a killed run had left" in swept.stdout
    wait_for(lambda: not tagged())
    assert limiter.jobs == []


def test_a_group_that_no_record_told_of_goes_with_the_next_run(limiter):
    """A supervisor may be killed between the making of its groups and of its record."""
    if limiter.backend.startswith("proc"):
        pytest.skip("no groups are made")
    process = limiter.start("-c", "echo; sleep 300", stdout=-1)
    assert process.stdout.readline()
    (record,) = ledger.jobs(Store(f"{limiter.folder}/run/limits"))[0]
    process.terminate()
    process.wait(30)
    process.stdout.close()
    stale = [Path(group).parent / f"4194000-1{apart()}" for group in record.groups]
    for path in stale:
        path.mkdir(parents=True, exist_ok=True)
    assert limiter("--", "true").returncode == 0
    assert stale
    assert [path for path in stale if path.exists()] == []
