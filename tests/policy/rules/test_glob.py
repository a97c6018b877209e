from __future__ import annotations

import fnmatch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from policy.rules.glob import Sieve, has_magic, matches

CASES = [
    ("git", "git", True),
    ("git", "gi", False),
    ("release/1.2", "release/*", True),
    ("release", "release/*", False),
    ("/home/a/.ssh/id", "*/.ssh/*", True),
    ("a", "?", True),
    ("", "?", False),
    ("", "*", True),
    ("b", "[a-c]", True),
    ("d", "[!a-c]", True),
    ("b", "[!a-c]", False),
    ("-", "[a-]", True),
    ("[", "[", True),
    ("aXbXc", "a*b*c", True),
    ("aXbX", "a*b*c", False),
]


@pytest.mark.parametrize(("text", "pattern", "fits"), CASES)
def test_pattern(text, pattern, fits):
    assert matches(text, pattern) is fits


@given(st.text("ab/*.?", max_size=12), st.text("ab/*.?", max_size=8))
def test_agrees_with_fnmatch(text, pattern):
    assert matches(text, pattern) is fnmatch.fnmatchcase(text, pattern)


@settings(max_examples=500)
@given(st.text("ab-]!", max_size=6), st.text("ab-[]!*?", max_size=8))
def test_sets_agree_with_fnmatch(text, pattern):
    backwards = any(
        low > high for low, dash, high in zip(pattern, pattern[1:], pattern[2:], strict=False) if dash == "-"
    )
    assume(not backwards)  # fnmatch drops such a range, and takes a "!" behind it for a negation; no shell does
    assert matches(text, pattern) is fnmatch.fnmatchcase(text, pattern)


PATTERNS = st.lists(st.text("ab/*", max_size=6) | st.text("ab*?[]", max_size=6), max_size=5)


@settings(max_examples=500)
@given(st.text("ab/", max_size=8), PATTERNS)
def test_many_patterns_at_once_take_what_one_of_them_takes(text, patterns):
    assert Sieve(tuple(patterns)).takes(text) is any(matches(text, pattern) for pattern in patterns)


def test_no_pattern_takes_exponential_work():
    assert not matches("a" * 2000, "*a" * 30 + "b")


@pytest.mark.parametrize(("pattern", "magic"), [("a*", True), ("a?", True), ("[a]", True), ("a.b", False), ("", False)])
def test_magic(pattern, magic):
    assert has_magic(pattern) is magic
