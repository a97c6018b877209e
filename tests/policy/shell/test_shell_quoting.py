"""ANSI-C strings decode as in bash, and quotes inside words leave the value that bash makes."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from policy.shell import Unparsed, parse
from policy.shell.quoting import ansi_c, unescape

DECODED = [
    ("abc", "abc"),
    (r"\x72\x6d", "rm"),
    (r"\162\155", "rm"),
    (r"\u0072\U0000006d", "rm"),
    (r"a\tb\n\\\'\"\?", "a\tb\n\\'\"?"),
    (r"\e\E\a\b\f\v\r", "\x1b\x1b\a\b\f\v\r"),
    (r"a\0b", "a"),
    (r"a\x00b", "a"),
    (r"\cA\c?", "\x01\x1f"),
    (r"\q\x", r"\q\x"),
    (r"\xc3\xa9", "é"),
    (r"\303\251", "é"),
    (r"\xff", "\udcff"),
    (r"\u00e9", "é"),
]


@pytest.mark.parametrize(("body", "value"), DECODED)
def test_ansi_c(body, value):
    assert ansi_c(body) == value


def test_unescape_tells_where_each_character_came_from():
    assert unescape(r"a\`b\\\"c", "`\\") == (r"a`b\\" + '"c', [0, 2, 3, 5, 6, 7, 8, 9])


SIGNS = (
    'a b \' " \\ $\' \\x41 \\101 \\n \\\' \\" \\\\ é \\u00e9 \\xe9 \\` \\$ ~ = x= / \\a \'\' "" $"x" {a} {} [ ] , - %'
)
PARTS = st.lists(st.sampled_from([*SIGNS.split(" "), " ", "\\\n", "'a b'", '"a b"']), min_size=1, max_size=8).map(
    "".join
)


@given(PARTS)
@settings(max_examples=150, deadline=None)
@example("a\\\nb")
def test_static_words_have_the_value_that_bash_gives_them(text):
    """Of each text that parses to words without expansions, bash prints the very values."""
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    try:
        commands = parse("printf '%s\\0' : " + text).commands
    except Unparsed:
        return
    if len(commands) != 1 or any(
        word.value is None or "tilde" in {piece.kind for piece in word.pieces} for word in commands[0].words
    ):
        return
    expected = [word.value for word in commands[0].words[2:]]
    done = subprocess.run(
        [shutil.which("bash") or "bash", "--norc", "-c", "printf '%s\\0' : " + text],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={"LC_ALL": "C.UTF-8", "PATH": os.defpath},
    )
    assert done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1] == expected
