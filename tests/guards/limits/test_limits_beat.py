"""When the supervisor wakes: once for a look and a beat that are due at nearly the same time, and less often where nothing presses."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from guards.limits import beat
from guards.limits.backends import group
from guards.limits.beat import LONG, RENEW, SHORT, Beat
from guards.limits.machine import Machine
from guards.limits.spec import Amount
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


class TestGroupLooks:
    def test_they_come_less_often_only_while_nothing_changes(self, monkeypatch):
        made = group.Groups("cgroup2", SimpleNamespace(), {}, (), "")
        made.partial = True
        own = [0]
        monkeypatch.setattr(made, "_weigh", lambda: setattr(made, "_memory", own[0]))
        now = 0.0

        def pauses(count, growth):
            nonlocal now
            for _ in range(count):
                now += made.pause()
                own[0] += growth
                made.look(now, alarmed=False)
                yield made.pause()

        assert list(pauses(12, 0))[-1] == group.LAST_LOOK
        assert set(pauses(4, 64 << 20)) == {group.BUSY_LOOK}
        assert list(pauses(4, 0))[-1] == group.LAST_LOOK


class TestBeats:
    @pytest.mark.parametrize(
        ("available", "pause"),
        [(1 << 30, SHORT), (6 << 30, pytest.approx(1.48, abs=0.01)), (40 << 30, LONG), (None, SHORT)],
    )
    def test_they_come_sooner_where_less_is_left(self, monkeypatch, available, pause):
        monkeypatch.setattr(beat, "survey", lambda **_: Machine(total=64 << 30, available=available))
        made = Beat(
            None, SimpleNamespace(observed=1, seen=0.0), SimpleNamespace(memory=lambda **_: 0), Amount("percent", 2)
        )
        made(0.0)
        assert made.pause == pause

    @pytest.mark.parametrize(("available", "fresh"), [(1 << 30, True), (40 << 30, False), (None, False)])
    def test_near_the_reserve_what_is_published_is_of_now(self, monkeypatch, available, fresh):
        asked = []
        monkeypatch.setattr(beat, "survey", lambda **_: Machine(total=64 << 30, available=available))
        backend = SimpleNamespace(memory=lambda *, fresh: asked.append(fresh) or 0)
        Beat(None, SimpleNamespace(observed=1, seen=0.0), backend, Amount("percent", 2))(0.0)
        assert asked == [fresh]

    @pytest.mark.parametrize(("confined", "expected"), [(False, [True, False, False, True]), (True, [True] * 4)])
    def test_groups_without_a_limit_are_asked_again_now_and_then(self, monkeypatch, confined, expected):
        asked, clock = [], [100.0]

        def survey(*, groups, swap):
            asked.append(groups)
            return Machine(total=64 << 30, available=32 << 30, confined=confined)

        monkeypatch.setattr(beat, "survey", survey)
        monkeypatch.setattr(beat, "time", SimpleNamespace(monotonic=lambda: clock[0]))
        made = Beat(
            None, SimpleNamespace(observed=1, seen=0.0), SimpleNamespace(memory=lambda **_: 0), Amount("percent", 2)
        )
        for moment in (100.0, 102.0, 109.0, 100.0 + RENEW):
            clock[0] = moment
            made(0.0)
        assert asked == expected
