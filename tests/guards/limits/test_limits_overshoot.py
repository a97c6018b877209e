"""How far above its limit a tree gets, counted by the child itself in a mapped file."""

import struct

import pytest

from tests.guards.limits.grower import GROWS

LIMIT = 500 << 20
SHARING = """\
import os, time
shared = bytearray(b"x") * (60 << 20)
for _ in range(20):
    if os.fork() == 0:
        own = bytearray(b"y") * (2 << 20)
        time.sleep(1.5)
        os._exit(0)
for _ in range(20):
    os.wait()
"""
PROC_MOST = 0.10


@pytest.mark.parametrize("rate", [1e9, 0], ids=["1 GB/s", "as fast as it can"])
def test_overshoot(limiter, one_cpu, rate):
    counter = limiter.folder / "counter"
    counter.write_bytes(bytes(4096))
    counter.chmod(0o666)
    words = ["--memory", LIMIT, "--", limiter.python, "-I", "-S", "-c", GROWS, counter, rate]
    done = limiter(*words, preexec_fn=one_cpu)
    taken = struct.unpack_from("q", counter.read_bytes())[0]
    assert done.returncode == 137, done.stderr
    assert taken > LIMIT // 2
    if limiter.backend.startswith("proc"):
        assert taken - LIMIT <= PROC_MOST * LIMIT
    else:
        assert taken - LIMIT <= 0


def test_shared_pages_are_counted_once(limiter):
    """Forked workers whose resident sizes add up to several times what they really take."""
    done = limiter("--memory", "250MiB", "--", limiter.python, "-I", "-S", "-c", SHARING)
    assert done.returncode == 0, done.stderr


SPAWNING = """\
import os
held = bytearray(b"x") * (60 << 20)
os.mkfifo("fifo")
helper = os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 0.6; : >fifo"], os.environ)
lent = os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 5, "fifo", os.O_RDONLY, 0)])
os.waitpid(lent, 0)
os.waitpid(helper, 0)
"""
"""Between vfork and exec a child has the whole memory of its parent for its own; here that takes a while."""


def test_memory_lent_to_a_child_until_its_exec_is_counted_once(limiter):
    done = limiter("--memory", "110MiB", "--", limiter.python, "-I", "-S", "-c", SPAWNING, cwd=limiter.folder)
    assert done.returncode == 0, done.stderr
