"""The quick branch gives the Script of the grammar for every text that it takes."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from policy.shell import Limits, Unparsed, plain, reader

PLAIN = [
    "git status",
    "git commit -m 'fix it' && git push",
    "a | b | c; d || e\n\nf\n",
    "ls;",
    '"" a""b \'c\'"d"',
    "a &&\n b |\n\n c",
    "   ls   -la   ",
    "",
]
NOT_PLAIN = [
    "A=1 b",
    "if a",
    "a &",
    "a >b",
    "a;;b",
    "a &&",
    "| a",
    "; a",
    "a 'b",
    "alias x",
    "=a",
    "a =b",
    "a |& b",
    "time a",
    "a\\b",
    "a #b",
    "a é",
]

texts = st.lists(
    st.sampled_from(
        [
            "a",
            "git",
            "-x",
            "b=c",
            "A=1",
            "if",
            "in",
            "done",
            "'q r'",
            '"s"',
            "''",
            "'",
            '"',
            " ",
            " ",
            "\t",
            "\n",
            ";",
            "&&",
            "||",
            "|",
            "&",
            "=",
            "2",
            "alias",
        ]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_texts_are_taken(text):
    assert plain.script(text, "bash") == reader.script(text, "bash", Limits())


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_other_texts_are_left_to_the_grammar(text):
    assert plain.script(text, "bash") is None


@given(texts)
@settings(max_examples=400, deadline=None)
@example("a;\n|b")
def test_both_branches_agree(text):
    quick = plain.script(text, "bash")
    if quick is None:
        return
    try:
        slow = reader.script(text, "bash", Limits())
    except Unparsed as error:
        raise AssertionError(f"{text!r}: {error}") from error
    assert quick == slow
