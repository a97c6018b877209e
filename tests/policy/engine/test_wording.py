"""Names and directories from outside, as messages show them."""

from __future__ import annotations

import pytest

from policy.wording import folder, quote

LONG = "/home/dev/" + "deep/" * 30 + "project"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (quote("a\nb", 10), '"a\\nb"'),
        (quote("x" * 30, 10), f'"{"x" * 9}…"'),
        (folder("/srv/app"), '"/srv/app"'),
        (folder("/srv/\u202eapp"), '"/srv/\\u202eapp"'),
        (folder(LONG, 20), f'"…{LONG[-19:]}"'),
        (folder("x" * 20, 20), f'"{"x" * 20}"'),
    ],
)
def test_what_is_shown(said, expected):
    assert said == expected


def test_two_long_neighbours_can_be_told_apart():
    assert folder(LONG + "-1") != folder(LONG + "-2")
