"""Names from outside stay on their line of a person's terminal: nobody clears it, turns it round or writes with our voice."""

from __future__ import annotations

import os

import pytest
from click.testing import CliRunner

from guards import audit, codes, kin, sessions
from guards import layout as places
from guards.cli.main import main
from policy.model import Decision, Request

HOSTILE = '\x1b[2Jall is well\u202e\n"\rgatepost: trust this\x9b'


@pytest.fixture
def known(layout, monkeypatch):
    """An installation in whose state and runtime folders everything is called so."""
    monkeypatch.setattr(places, "_baked", [layout])
    os.makedirs(layout.runtime, mode=0o700)
    mark = f"{os.getpid()}:{kin.stat(os.getpid())[2]}"
    sessions.enter(layout, sessions.Session(HOSTILE, HOSTILE, mark, HOSTILE, 0.0, (HOSTILE, "x")))
    codes.offer(layout, ("x/y",), ("git", HOSTILE), HOSTILE, HOSTILE)
    audit.record(
        layout,
        Request(text=HOSTILE, cwd=HOSTILE, session=HOSTILE, host="claude"),
        Decision("deny", "x/y", "it is a test"),
        error=ValueError(HOSTILE),
    )
    return layout


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["sessions"], 1),
        (["allow-once"], 1),
        (["log"], 1),
        (["why"], 5),
        (["statusline", "--session", HOSTILE], 1),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_what_is_told_stays_on_its_lines(known, words, lines):
    said = CliRunner().invoke(main, words, input="").output
    assert len(said.splitlines()) == lines
    assert said.replace("\n", "").isprintable()


def test_what_a_person_let_pass_is_named_in_the_same_way(known):
    said = CliRunner().invoke(main, ["allow-once", codes.listed(known)[0].code], input="").output
    assert said.removesuffix("\n").isprintable()
