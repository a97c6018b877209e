"""What is said of a text that does not parse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy.shell.salvage import candidates

HOLDS = [
    ("git reset --hard $(", ["git", "reset", "--hard"]),
    ("echo 'x; g\"i\"t re\\set --ha'rd'", ["git", "reset", "--hard"]),
    ("/usr/bin/rm -rf ~/work '", ["rm", "-rf", "/usr/bin/rm"]),
    ("$'\\x72\\x6d' -rf x `", ["rm", "-rf"]),
    ("r\\\nm -rf x (", ["rm", "-rf"]),
    ("x=$(rm -rf y", ["rm", "y"]),
    ("if true; then {rm,-rf,x", ["rm", "-rf"]),
    ("a;b|c&d(e", ["a", "b", "c", "d", "e"]),
]


@pytest.mark.parametrize(("text", "words"), HOLDS)
def test_words_are_found_through_quotes(text, words):
    assert set(words) <= candidates(text)


def test_nothing_is_made_up():
    assert candidates("echo formatted 'and confirmed'") == {"echo", "formatted", "and", "confirmed"}
    assert candidates("") == frozenset()


NAMES = st.sampled_from(["git", "rm", "reset", "--hard"])


@given(
    NAMES,
    st.lists(st.sampled_from(["''", '""', "\\", "\\\n", ""]), min_size=8, max_size=8),
    st.sampled_from([" ", ";", "$(", "|", "`", "{", "=("]),
)
@settings(max_examples=200, deadline=None)
def test_a_name_with_quotes_strewn_in_is_found(name, noise, before):
    spelled = "".join(sign + letter for sign, letter in zip(noise, name, strict=False))
    assert name in candidates(f"x{before}{spelled} y '")
