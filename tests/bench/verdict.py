"""When a measured row fails: never for one noisy moment, always for a cost that stays.

A row whose median is over its limit is measured again, with the same floors beside it, later and for longer each time. It fails when it is over
every time, the last and longest time by more than the measured noise. A program that became dearer is over it at any time of the day; a machine
that others use is slow in phases.
"""

from __future__ import annotations

import time

from measure import measure, ratio

AGAIN = ((10, 2), (20, 3))
"""(seconds to wait, times as many rounds) of each further measurement."""


class Combined:
    """A row's sample without what is taken off it, or a floor with what is added to it: round by round."""

    def __init__(self, sample, other, sign):
        for kind in ("cpu", "wall"):
            pairs = zip(getattr(sample, kind), getattr(other, kind), strict=True)
            setattr(self, kind, [value + sign * beside for value, beside in pairs])


def compared(row, samples, kind="cpu"):
    """(low, middle, high) of the row's ratio to its floor."""
    sample, floor = samples[row.command.name], samples[row.floor]
    if row.minus:
        sample = Combined(sample, samples[row.minus], -1)
    if row.plus:
        floor = Combined(floor, samples[row.plus], 1)
    return ratio(sample, floor, kind)


def wanted(rows, commands):
    """Those of the commands that the rows are made of."""
    names = {name for row in rows for name in (row.command.name, row.floor, row.minus, row.plus)}
    return [command for command in commands if command.name in names]


def over(rows, samples, bound=1):
    """The rows whose ratio, or its lower bound (0), is over the limit."""
    return [row for row in rows if row.limit and compared(row, samples)[bound] > row.limit]


def failing(rows, commands, samples, rounds, *, measured=measure, wait=time.sleep):
    """Lines about the rows that are over their limit in `samples` and in every measurement after that."""
    left = over(rows, samples)
    seen = {row.name: [compared(row, samples)] for row in left}
    for seconds, times in AGAIN:
        if not left:
            return []
        print(f"to be measured again: {'; '.join(said(row, seen[row.name]) for row in left)}", flush=True)
        wait(seconds)
        samples = measured(wanted(left, commands), rounds * times)
        for row in left:
            seen[row.name].append(compared(row, samples))
        left = over(left, samples)
    return [said(row, seen[row.name]) for row in over(left, samples, 0)]


def said(row, found):
    """One line about a row that is over its limit."""
    ratios = ", ".join(f"{middle:.2f} ({low:.2f}–{high:.2f})" for low, middle, high in found)
    return f"{row.name}: {ratios} × {row.against}, allowed {row.limit:.2f}"
