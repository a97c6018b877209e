"""JSON without the json package: the same values, the same refusals, nothing after the document."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.wire import Malformed, decode, encode

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(deadline=None)
@given(VALUES)
def test_what_is_encoded_reads_back_the_same_here_and_in_json(value: object) -> None:
    text = encode(value)
    assert text.isascii()
    assert json.loads(text) == value
    assert decode(text) == value


@settings(deadline=None)
@given(VALUES)
def test_what_json_writes_is_read(value: object) -> None:
    assert decode(" " + json.dumps(value, indent=1) + "\n") == value


PIECES = st.sampled_from(
    [
        "{",
        "}",
        ":",
        ",",
        '"',
        '"a"',
        '"b c"',
        "1",
        "0",
        "01",
        "-1",
        "1.5",
        "true",
        "null",
        "nul",
        " ",
        "[",
        "]",
        '{"a":',
        '"x":{',
    ]
)


@settings(deadline=None, max_examples=1000)
@given(st.lists(PIECES, max_size=12).map("".join) | st.dictionaries(st.text('ab "\\é'), VALUES).map(json.dumps))
def test_a_document_is_read_as_json_reads_it(text: str) -> None:
    """Whichever way it is read: texts near the simple documents that are read without the scanner."""
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(Malformed):
            decode(text)
        return
    found = decode(text)
    assert (found, repr(found)) == (expected, repr(expected))


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "nope", '{"a"', '{"a":', '{"a":1', '{"a":"x', '{"a":tr', "[1,2", "{a:1}", '{"a":1,}', '{"a":NaN}', '{"a":1} x', "{}{}", '"x\x00"', "\ufeff{}"],
)  # fmt: skip
def test_what_is_no_single_document_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        decode(text)


def test_depth_is_bounded() -> None:
    with pytest.raises(Malformed, match="deep"):
        decode("[" * 200_000)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        decode(text)
    except Malformed:
        return


def test_what_has_no_json_form_is_an_error() -> None:
    with pytest.raises(TypeError):
        encode({1, 2})
