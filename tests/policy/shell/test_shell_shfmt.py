"""A second opinion: shfmt sees the same commands, the same words and the same static values. Every difference is explained in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import shfmt_tree

from policy.shell import Limits, Unparsed, parse

EXPLAINED = Path(__file__).with_name("shfmt-differences.jsonl")
LARGE = Limits(size=10_000_000, steps=10_000_000)


def differences(text):
    """(what, offset, words) for each difference, None where shfmt refuses the text."""
    theirs = shfmt_tree.commands(text)
    if theirs is None:
        return None
    try:
        ours = {command.words[0].span[0]: command for command in parse(text, "bash", LARGE).commands if command.words}
    except Unparsed as error:
        return [("unparsed", error.position, str(error))]
    found = [("only shfmt", at, text[at : at + 40]) for at in sorted(set(theirs) - set(ours))]
    found += [("only here", at, text[at : at + 40]) for at in sorted(set(ours) - set(theirs))]
    for at in sorted(set(ours) & set(theirs)):
        if ours[at].exact and theirs[at][0][0] != "let":
            found += differing_words(at, ours[at].words, theirs[at])
    return found


def differing_words(at, ours, theirs):
    if [word.raw for word in ours] != [raw for raw, _ in theirs]:
        return [("words", at, str([word.raw for word in ours]))]
    pairs = zip(ours, theirs, strict=True)
    return [("value", at, raw) for word, (raw, value) in pairs if value is not None and word.value != value]


def check(texts, least):
    explained = [json.loads(line)["text"] for line in EXPLAINED.read_text().splitlines()]
    compared, unexplained = 0, []
    for text in texts:
        if "\r" in text or "\0" in text:
            continue  # shfmt takes a carriage return for a blank
        found = differences(text)
        compared += found is not None
        if found and text not in explained:
            unexplained.append((found[:3], text[:300]))
    assert not unexplained
    assert compared >= least


@pytest.fixture(autouse=True)
def _shfmt():
    if shfmt_tree.program() is None:
        pytest.skip("shfmt is not installed")


def test_a_sample_of_the_corpus(requests):
    check(requests[::20], 450)


@pytest.mark.full
def test_the_whole_corpus(requests):
    check(requests, 9000)


@pytest.mark.full
def test_the_scripts_of_this_system():
    from test_shell_corpora import shell_scripts

    check([text for _, text in shell_scripts()], 1)


CASES = [
    "echo $(a\nrm q)",
    "if a; then b; elif c; then d; elif e; then rm q; fi",
    "echo 'a'$(rm q)'b' \"${x:-$(c)}\"",
    "cat <<E | b\n$(rm q)\nE\nc",
    "case x in a) rm q;; b | c) d ;& e) f ;; esac",
    "f() { a; } >x; function g { b; }",
    "coproc N { a; }; time -p b; ! c",
    "declare -a a=(x $(y)); export B=1 C",
    "a=1 b+=2 c >d 2>&1 <e; >f",
]


@pytest.mark.parametrize("text", CASES)
def test_what_other_parsers_hid(text):
    assert differences(text) == []
