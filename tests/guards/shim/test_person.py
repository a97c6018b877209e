"""Questions on a terminal: one after another, each with an answer of its own."""

from __future__ import annotations

import os
import select
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from guards.shim import person


@pytest.fixture
def terminal():
    """A pseudo terminal: the person's end, and the path of the other."""
    ours, theirs = os.openpty()
    yield ours, os.ttyname(theirs)
    os.close(theirs)
    os.close(ours)


def shown(ours, until):
    """What the person sees, until a text appears."""
    text = b""
    end = time.monotonic() + 120
    while until not in text and time.monotonic() < end:
        if select.select([ours], [], [], 0.1)[0]:
            text += os.read(ours, 4096)
    return text.decode()


def test_each_answer_goes_to_its_question(terminal):
    ours, path = terminal
    with ThreadPoolExecutor(3) as pool:
        asked = {name: pool.submit(person.on_terminal, name, path) for name in ("first", "second", "third")}
        for answer in (b"y\n", b"n\n", b"y\n"):
            text = shown(ours, b"[y/N] ")
            names = [name for name in asked if name in text]
            assert len(names) == 1, text
            os.write(ours, answer)
            assert asked.pop(names[0]).result(timeout=120) is (answer == b"y\n")


def test_what_was_typed_before_is_no_answer(terminal):
    ours, path = terminal
    os.write(ours, b"y\ny\n")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(person.on_terminal, "question", path)
        shown(ours, b"[y/N] ")
        assert not asked.done()
        os.write(ours, b"n\n")
        assert asked.result(timeout=120) is False
