"""Tests wait for what they need, however long a busy machine takes for it."""

from __future__ import annotations

import time


def wait_for(true, seconds=30):
    """Return as soon as `true()` holds; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def states(limiter):
    """running, waiting or left, of each job in the order of the queue."""
    return [job["state"] for job in limiter.jobs]
