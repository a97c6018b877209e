"""Fork bombs where no group counts processes: noticed by the machine's number of threads, stopped at once, bounded for users by a ceiling."""

import os
import resource
import subprocess

import pytest

from guards.limits.backends import crowd
from guards.limits.backends.crowd import FEW, FOREVER, SLACK, Crowd

BOMB = "exec 2>/dev/null; : {tag}; bomb() {{ bomb | bomb & sleep 300 & }}; trap '' TERM; setsid sh -c ': {tag}; while :; do sleep 300 & done' & bomb; sleep 300"


@pytest.fixture
def counted(monkeypatch):
    """A crowd on a machine whose threads are told."""
    told = [500]
    monkeypatch.setattr(Crowd, "threads", lambda _self: told[0])
    sent = []
    monkeypatch.setattr(Crowd, "_send", lambda self, number: sent.append((self.stopped, number)))
    monkeypatch.setattr(Crowd, "go_first", lambda _self: None)
    monkeypatch.setattr(crowd.numbers, "group", lambda pid: pid)

    def look(made, threads, seconds, children=(7777,)):
        told[0] = threads
        made.look(made.at + seconds, lambda: children)
        return made.left

    made = Crowd(200)
    yield made, look, sent
    made.close()


def test_at_rest_there_is_no_hurry(counted):
    made, look, sent = counted
    for threads in (500, 503, 490, 505):
        assert look(made, threads, 0.1) == FOREVER
        made.counted(5)
    assert sent == []


def test_a_build_with_many_workers_is_no_bomb(counted):
    made, look, sent = counted
    assert look(made, 500 + FEW + 60, 1.0) > 1
    made.counted(80)
    assert look(made, 590, 1.0) > 1
    assert sent == []


def test_what_will_soon_be_too_many_is_stopped_and_goes_on_when_it_was_not_ours(counted):
    made, look, sent = counted
    assert look(made, 500, 0.1) == FOREVER
    made.counted(3)
    assert look(made, 620, 0.1) < crowd.ALARM
    assert sent == []
    made.counted(20)
    assert look(made, 740, 0.1) < crowd.ALARM
    assert sent == [((7777,), 19)]
    made.counted(3)
    assert sent == [((7777,), 19), ((7777,), 18)]
    assert look(made, 742, 0.1) == FOREVER


def test_our_own_group_is_never_stopped(counted, monkeypatch):
    made, look, sent = counted
    assert look(made, 900, 0.1, children=(os.getpgid(0), 0)) == 0
    assert sent == [((), 19)]


def test_the_ceiling_is_above_all_that_runs(monkeypatch):
    monkeypatch.setattr(crowd.posix, "getuid", lambda: 1000)
    made = Crowd(50)
    assert made.ceiling() == made.base + 50 + SLACK
    monkeypatch.setattr(crowd, "read", lambda _path: b"39 24 0:29 / /proc/loadavg rw - fuse.lxcfs lxcfs rw\n")
    assert made.ceiling() == 0
    monkeypatch.setattr(crowd.posix, "getuid", lambda: 0)
    assert made.ceiling() == 0
    made.close()


def test_a_user_cannot_have_more_than_the_ceiling(limiter):
    done = limiter("--pids", "50", "-c", "ulimit -Su 2>/dev/null || ulimit -Sp")
    if limiter.unprivileged:
        assert 50 + SLACK < int(done.stdout) < 50 + SLACK + 100_000
    else:
        kept = resource.getrlimit(resource.RLIMIT_NPROC)[0]
        assert done.stdout.strip() in {"unlimited", str(kept)}


def test_a_fork_bomb_ends_before_it_is_large(limiter, any_limiter, tagged, slow):
    """Inside a group that bounds what it may do to this machine when it is not stopped."""
    if limiter.backend == "portable" or any_limiter("--require-kernel", "--", "true").returncode:
        pytest.skip("nothing bounds the bomb here")
    inner = limiter.words(["--pids", "200", "--time", f"{3 * slow}s", "-c", BOMB.format(tag=tagged.tag)], None)
    words = any_limiter.words(["--pids", "1200", "--time", "90s", "--", *inner], None)
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert tagged() == []
    assert done.returncode in {137, 124, 2}, (
        done.stderr
    )  # 2: its first shell could not fork any more, and ended by itself
