"""A row over its limit in one noisy phase passes; one that became a quarter dearer fails, whatever the machine does."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import rows
import verdict
from measure import Sample

FLOOR, BESIDE, ROUNDS = "floor", "beside", 30


def row(reached=1.5, **named):
    return rows.Row(SimpleNamespace(name="path"), FLOOR, 1.8, reached=reached, **named)


def machine(costs, phases, noise=0.08):
    """A `measure` whose n-th call finds the machine `phases[n]` times as slow for everything but the floors."""
    draw, left = random.Random(3), iter(phases)

    def measured(commands, rounds):
        slow = next(left)
        samples = {}
        for command in commands:
            samples[command.name] = sample = Sample()
            factor = 1 if command.name in {FLOOR, BESIDE} else slow
            for _ in range(rounds):
                value = costs[command.name] * factor * (1 + draw.uniform(-noise, noise))
                sample.cpu.append(value)
                sample.wall.append(value)
        return samples

    return measured


def judged(cost, phases, made=None, beside=0.0):
    made = made or row()
    commands = [SimpleNamespace(name=name) for name in (FLOOR, BESIDE, "path", "another")]
    measured = machine({FLOOR: 10.0, BESIDE: beside or 1.0, "path": cost, "another": 99.0}, phases)
    waits = []
    lines = verdict.failing([made], commands, measured(commands, ROUNDS), ROUNDS, measured=measured, wait=waits.append)
    return lines, waits


@pytest.mark.parametrize("phases", [(1.0,), (1.3, 1.0), (1.3, 1.4, 1.05)])
def test_noise_passes(phases):
    lines, waits = judged(15.0, phases)
    assert lines == []
    assert len(waits) == len(phases) - 1


def test_only_what_stays_dear_fails():
    lines, waits = judged(15.0 * 1.25, (1.0, 1.0, 1.0))
    assert len(lines) == 1
    assert lines[0].startswith("path: 1.8")
    assert "allowed 1.80" in lines[0]
    assert waits == [seconds for seconds, _ in verdict.AGAIN]
    assert len(waits) >= 2, "a row is measured again twice at least before it fails"


def test_a_cost_of_a_kind_is_taken_off_or_added():
    assert not judged(19.5, (1.0,), row(plus=BESIDE), beside=2.0)[0]
    assert judged(19.5, (1.0, 1.0, 1.0), row())[0]
    assert not judged(19.5, (1.0,), row(minus=BESIDE), beside=3.0)[0]


def test_other_interpreters_are_held_to_the_design(monkeypatch):
    assert row(1.3).limit < 1.8
    monkeypatch.setattr(rows, "REACHED_BY", (3, 0))
    assert row(1.3).limit == 1.8


def test_every_row_has_a_limit_that_a_real_regression_exceeds():
    """A row whose limit is far above what it costs would never fail."""
    for _, _, budget, reached in rows.REQUESTS:
        made = rows.Row(SimpleNamespace(name=""), FLOOR, budget, reached=reached)
        assert made.limit <= max(1.25 * reached, 0.13)
