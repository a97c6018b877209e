"""Which suggestions are judged again: those that have the words of a rule that a layer brought, found without a look at each rule."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policy.rules.checked import Concern

GROUP = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=2).map(tuple)
ALTERNATIVES = st.lists(st.lists(GROUP, max_size=2).map(tuple), max_size=4)


@given(ALTERNATIVES, st.text("abc", max_size=8))
def test_as_a_look_at_each_would_say(alternatives, text):
    expected = any(all(any(literal in text for literal in group) for group in groups) for groups in alternatives)
    assert Concern(alternatives).may(text) is expected
