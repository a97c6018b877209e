"""Any text ends in a Script or in Unparsed; spans are those of the text; work grows with the length and no faster."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from policy.shell import Limits, Unparsed, grammar, parse
from policy.shell.budget import Work
from policy.shell.dialects import DIALECTS
from policy.shell.words import Scanner

WORDS = (
    "a b rm git -x = ' \" \\ $ ` ( ) { } [ ] < > | & ; # ! ~ * ? , % ^ + @ : / if then fi for in do done case esac while time function"
    " [[ ]] (( )) $( $(( ${ ${x:- <<E <<-'E' E <( $' $\" a=( a[ 2> &> |& ;; ;& <<< {fd}> &! 1= $= é \0 \r"
)
SIGNS = [*WORDS.split(" "), " ", " ", "\n", "\n", "\t", "\\\n", "\nE\n"]
RULES = ("shell/unparsed", "shell/too-large", "shell/too-deep")
texts = st.one_of(
    st.lists(st.sampled_from(SIGNS), max_size=60).map("".join),
    st.lists(st.sampled_from(SIGNS), max_size=30).map(" ".join),
    st.text(max_size=200),
    st.builds(
        lambda part, times: part * times,
        st.lists(st.sampled_from(SIGNS), min_size=1, max_size=4).map("".join),
        st.integers(1, 16_000),
    ),
).map(lambda text: text[:65_536])


@given(texts, st.sampled_from(["bash", "sh", "zsh", "unknown", "fish", "powershell", "cmd"]))
@settings(max_examples=250, deadline=None)
@example("", "bash")
@example("\\", "bash")
@example("((" * 30_000, "unknown")
def test_any_text_ends_in_a_script_or_in_unparsed(text, dialect):
    try:
        script = parse(text, dialect)
    except Unparsed as error:
        said = error
    else:
        said = None
    if said is not None:
        assert 0 <= said.position <= len(text) + 1
        assert said.rule in RULES
        return
    for command in script.commands:
        assert 0 <= command.span[0] <= command.span[1] <= len(text)
        if command.exact:
            for word in command.words:
                assert text[slice(*word.span)] == word.raw
            for assignment in command.assignments:
                assert text[slice(*assignment.word.span)] == assignment.word.raw
    starts = [command.span[0] for command in script.commands]
    assert starts == sorted(starts)


FAMILIES = {
    "one word": lambda n: "a" * n,
    "words": lambda n: "a " * n,
    "and-or list": lambda n: "a&&" * n + "a",
    "pipeline": lambda n: "a|" * n + "a",
    "lines": lambda n: "a\n" * n,
    "open parentheses": lambda n: "(" * n,
    "closed parentheses": lambda n: "(" * n + "a" + ")" * n,
    "subshells like arithmetic": lambda n: "((a) " * n + ")" * n,
    "open substitutions": lambda n: "$(" * n,
    "closed substitutions": lambda n: "$(a " * n + ")" * n,
    "quoted substitutions": lambda n: 'a "$(' * n,
    "open arithmetic": lambda n: "$((" * n,
    "closed arithmetic": lambda n: "$((" * n + "1" + "))" * n,
    "failed arithmetic": lambda n: "$((a) " * n + ")" * n,
    "open braces": lambda n: "${x:-" * n,
    "closed braces": lambda n: "${x:-" * n + "}" * n,
    "quoted braces": lambda n: '"' + "${x:-'a'" * n + "}" * n + '"',
    "brace expansions": lambda n: "{a," * n + "}" * n,
    "backticks": lambda n: "`" * (2 * n),
    "escapes": lambda n: "\\a" * n,
    "quotes": lambda n: "'a'\"b\"" * n,
    "escaped quotes": lambda n: '"' + '\\"' * n + '"',
    "here-documents": lambda n: "cat <<E\nx\nE\n" * n,
    "here-documents on a line": lambda n: "cat " + "<<E " * n + "\n" + "E\n" * n,
    "a long here-document": lambda n: "cat <<E\n" + "$x y\n" * n + "E\n",
    "elif": lambda n: "if a; then b;" + " elif c; then d;" * n + " fi",
    "case": lambda n: "case x in " + "a) b;; " * n + "esac",
    "conditions": lambda n: "[[ " + "a || " * n + "a ]]",
    "arrays": lambda n: "x=(" + "a " * n + ")",
    "subscripts": lambda n: "a[" * n,
    "comments": lambda n: "# a\n" * n,
    "globs": lambda n: "a[b]*" * n,
    "tildes": lambda n: "~" * n,
    "nested functions": lambda n: "f() { " * n,
    "dollars": lambda n: "$" * n,
    "brace expansions in one word": lambda n: "{a,b}" * n,
    "words of braces": lambda n: "{a,b}c " * n,
    "open brackets": lambda n: "[" * n + "'x'" + "]",
    "stars": lambda n: "*" * n,
    "redirections": lambda n: "a " + ">b c " * n,
    "redirections of both outputs": lambda n: "a " + "&>b c " * n,
    "descriptors of two digits": lambda n: "a " + "10>b c " * n,
    "assignments": lambda n: "a=$b\n" * n,
    "small functions": lambda n: "f() { a; }\n" * n,
    "small substitutions": lambda n: "$(a) " * n,
    "small backticks": lambda n: "`a` " * n,
    "here-strings": lambda n: "a <<< b\n" * n,
    "background": lambda n: "a &\n" * n,
    "continued lines": lambda n: "a \\\n" * n,
}


def work_for(text, dialect):
    """(steps, calls) of one reading without limits."""
    work = Work(Limits(size=10**9, steps=10**9, depth=40), DIALECTS[dialect], grammar.read)
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        grammar.read(Scanner(text, work), 0, "")
    except Unparsed:
        pass
    finally:
        sys.setprofile(None)
    return work.steps, calls


@pytest.mark.parametrize("dialect", ["bash", "unknown"])
@pytest.mark.parametrize("family", FAMILIES)
def test_work_grows_with_the_length(family, dialect):
    grammar.read(Scanner("a", Work(Limits(), DIALECTS["bash"], grammar.read)), 0, "")  # the tables are loaded once
    steps, calls = work_for(FAMILIES[family](300), dialect)
    more_steps, more_calls = work_for(FAMILIES[family](1200), dialect)
    assert more_steps <= 4.5 * steps + 100
    assert more_calls <= 4.5 * calls + 2000


@pytest.mark.parametrize("family", FAMILIES)
def test_a_megabyte_is_answered_within_the_budget(family):
    text = (FAMILIES[family](1_000_000))[:1_000_000]
    with pytest.raises(Unparsed) as caught:
        parse(text)
    assert caught.value.rule == "shell/too-large"


@pytest.mark.parametrize("family", FAMILIES)
def test_the_largest_text_keeps_to_the_steps(family):
    text = FAMILIES[family](100_000)[:250_000]
    try:
        parse(text)
    except Unparsed as error:
        rule = error.rule
    else:
        rule = ""
    assert rule in ("", *RULES)
