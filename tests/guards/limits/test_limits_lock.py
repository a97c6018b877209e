"""The lock of the queue: whoever is stopped with it in hand, by Ctrl-Z or SIGSTOP, holds up nobody else's run."""

import os
import signal
import subprocess
import time

import pytest

from guards.limits.store import STOPS, Busy, Store

HOLD = """
import posix, signal, sys
sys.path.insert(0, {root!r})
from guards.limits.store import Store
with Store({path!r}):
    posix.kill(posix.getpid(), signal.{name})
    print("held", flush=True)
print("given back", flush=True)
"""


@pytest.fixture
def hold(any_limiter, open_folder):
    """Start a process that sends itself a signal while it holds the lock."""
    started = []

    def start(name):
        path = f"{open_folder}/run/limits"
        root = str(os.path.realpath(__file__ + "/../../../.."))
        words = [any_limiter.python, "-c", HOLD.format(root=root, path=path, name=name)]
        # a group of its own: in one that no shell looks after, as under CI, the kernel stops nobody for a terminal
        started.append(subprocess.Popen(words, stdout=-1, text=True, process_group=0))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def stopped(process):
    """Wait until it is stopped."""
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)


@pytest.mark.parametrize("number", STOPS)
def test_a_terminal_stops_nobody_who_holds_it(hold, open_folder, number):
    process = hold(signal.Signals(number).name)
    assert process.stdout.readline() == "held\n"
    stopped(process)
    with Store(f"{open_folder}/run/limits").within(0):
        pass
    process.send_signal(signal.SIGCONT)
    assert process.stdout.readline() == "given back\n"


def test_one_that_is_stopped_with_it_is_named_and_holds_nobody_up(hold, any_limiter, open_folder):
    waiting = any_limiter.start("--slot", "one", "-c", "echo mine", stdout=-1, stderr=-1, text=True)
    assert waiting.communicate()[0] == "mine\n"
    holder = hold("SIGSTOP")
    stopped(holder)
    with (
        pytest.raises(Busy, match=f"is held by process {holder.pid}, which is stopped"),
        Store(f"{open_folder}/run/limits").within(0),
    ):
        pass
    gated = any_limiter.start("--wait=1s", "--", "true", stderr=-1, text=True)
    queued = any_limiter.start("--slot", "one", "-c", "echo mine", stdout=-1, stderr=-1, text=True)
    status = any_limiter.ask("status", "--json")
    free = any_limiter("-c", "echo ran")
    assert (free.returncode, free.stdout) == (0, "ran\n")
    assert "which is stopped; this run is not listed" in free.stderr
    assert status.stdout == '{"jobs":[],"swept":[]}\n'
    assert "nothing was swept" in status.stderr
    said = gated.communicate()[1]
    assert (gated.returncode, f"held by process {holder.pid}" in said) == (75, True)
    holder.send_signal(signal.SIGCONT)
    assert queued.communicate()[0] == "mine\n"


def test_it_is_waited_for_no_longer_than_asked(tmp_path):
    path = str(tmp_path / "run")
    reader, writer = os.pipe()
    if not (pid := os.fork()):
        with Store(path):
            os.write(writer, b"!")
            time.sleep(60)
    try:
        os.read(reader, 1)
        with pytest.raises(Busy), Store(path).within(0.05):
            pass
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    with Store(path).within(5):
        pass
