"""The supervisor wakes once where a look and the beat are due at nearly the same time: a waking costs more than either."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from guards.limits.supervise import FOREVER, NEAR, Supervisor


def at(look_at, beat_at):
    """A supervisor with nothing to watch but the clock, and the moments at which it beat."""
    made, beats = Supervisor.__new__(Supervisor), []
    made.backend = SimpleNamespace(look=lambda _, alarmed: "", pause=lambda: 1.0)
    made.duty, made.deadline, made.killing = None, FOREVER, FOREVER
    made.look_at, made.beat_at = look_at, beat_at
    made.beat = Counted(beats)
    return made, beats


class Counted:
    pause = 1.0

    def __init__(self, beats):
        self.beats = beats

    def __call__(self, now):
        self.beats.append(now)
        return ""


@pytest.mark.parametrize(("beat_at", "beats"), [(10.0, [10.0]), (10.0 + NEAR, [10.0]), (10.1 + NEAR, [])])
def test_a_look_brings_a_beat_that_is_nearly_due(beat_at, beats):
    made, seen = at(10.0, beat_at)
    assert made._judge(10.0, alarmed=False) == ""
    assert seen == beats
    if beats:
        assert made.beat_at == made.look_at == 11.0


def test_a_beat_brings_a_look_that_is_nearly_due():
    made, seen = at(10.0 + NEAR, 10.0)
    assert made._judge(10.0, alarmed=False) == ""
    assert (seen, made.look_at) == ([10.0], 11.0)


def test_without_a_look_the_beat_waits_for_its_moment():
    made, seen = at(11.0, 10.2)
    made._judge(10.0, alarmed=False)
    assert seen == []
    made._judge(10.2, alarmed=False)
    assert seen == [10.2]
