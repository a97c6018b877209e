"""The hook with a judge of the test's choosing, in this process, over a real pipe."""

from __future__ import annotations

import json
import os
import threading

import pytest

from guards.hook.judge import Verdict
from guards.hook.main import answer
from policy.model import Decision


class Hook:
    """Calls the hook with bytes on a pipe. `seen` holds the requests that reached the judge."""

    def __init__(self, layout):
        self.layout = layout
        self.seen = []
        self.decision = Decision()

    def judge(self, request, _layout):
        self.seen.append(request)
        if isinstance(self.decision, BaseException):
            raise self.decision
        return self.decision if isinstance(self.decision, Verdict) else Verdict(self.decision)

    def __call__(self, host, raw, decision=None, *, close=True):
        if decision is not None:
            self.decision = decision
        reading, writing = os.pipe()
        feeder = threading.Thread(target=self._feed, args=(writing, raw, close))
        feeder.start()
        try:
            return answer(host, self.layout, descriptor=reading, judge=self.judge)
        finally:
            os.close(reading)
            feeder.join()
            if not close:
                os.close(writing)

    @staticmethod
    def _feed(writing, raw, close):
        try:
            while raw:
                raw = raw[os.write(writing, raw) :]
        except BrokenPipeError:
            pass
        finally:
            if close:
                os.close(writing)

    def log(self):
        path = f"{self.layout.state}/log.jsonl"
        with open(path, encoding="ascii") as file:
            return [json.loads(line) for line in file]


@pytest.fixture
def hook(layout):
    return Hook(layout)
