"""What a host's process hands on to its children turns no refusal into silence: signals, descriptors, limits."""

from __future__ import annotations

import os
import resource
import signal
import subprocess

import pytest

from guards.install.probe import understood
from tests.guards.hook.payloads import raw


def limited(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


HANDED_ON = {
    "no stdout": lambda: os.close(1),
    "no stderr": lambda: os.close(2),
    "four descriptors": limited(resource.RLIMIT_NOFILE, 4),
    "eight descriptors": limited(resource.RLIMIT_NOFILE, 8),
    "no file may grow": limited(resource.RLIMIT_FSIZE, 0),
    "hardly any memory": limited(resource.RLIMIT_DATA, 1 << 20),
    "a small stack": limited(resource.RLIMIT_STACK, 1 << 16),
    "every signal blocked": lambda: signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()),
    "ends of children ignored": lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
}


@pytest.mark.parametrize("host", ["claude", "kimi"])
@pytest.mark.parametrize("hand_on", HANDED_ON.values(), ids=HANDED_ON)
def test_a_refusal_stays_one(deployed, git_env, hand_on, host):
    """As a deny, or as what the host takes for one: that the guard is broken, and says so."""
    done = subprocess.run(
        [f"{deployed.bin}/gatepost-hook", host],
        input=raw(host, "rm -rf /"),
        capture_output=True,
        env=git_env,
        preexec_fn=hand_on,
        timeout=60,
    )
    assert understood(done.returncode, done.stdout.decode(), done.stderr.decode()).word in {"refused", "asked"}
