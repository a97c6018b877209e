from __future__ import annotations

import re

import pytest

from policy.rules.schema import Rule, RuleError, read

GOOD = """
summary = "x"
why = "y"
decision = "deny"
[[match]]
program = "git"
[[example]]
run = "git x"
expect = "deny"
[[example]]
run = "ls"
expect = "pass"
"""
BAD = [
    ("summary = [", "team/x.toml: "),
    (GOOD.replace("why", "wy"), "wy: unknown key; did you mean 'why'?"),
    (
        GOOD.replace('program = "git"', 'program = "git"\nany_optoin = ["-f"]'),
        "match.0.any_optoin: unknown key; did you mean 'any_option'?",
    ),
    (GOOD.replace('program = "git"', "program = 3"), "match.0.program"),
    (GOOD.replace('program = "git"', 'program = "git"\nmin_operands = "2"'), "match.0.min_operands"),
    (GOOD.replace('"deny"\n[[match]]', '"denied"\n[[match]]'), "decision"),
    (GOOD.replace('program = "git"', 'effect = ["delte"]'), "did you mean 'delete'?"),
    (GOOD.replace('program = "git"', 'effect = ["delete"]\npath_class = ["hom"]'), "did you mean 'home'?"),
    (GOOD.replace('program = "git"', 'program = "rm"\npath_class = ["home"]'), "name the kinds in `effect`"),
    (GOOD.replace('program = "git"', 'program = "git"\nplace = ["remot"]'), "did you mean 'remote'?"),
    (GOOD.replace('program = "git"', 'program = "git"\nwhen = { would_loose = true }'), "did you mean 'would_lose'?"),
    (GOOD.replace('program = "git"', ""), "matches everything"),
    (GOOD.partition("[[example]]")[0], "at least one [[example]]"),
    (GOOD.replace('expect = "pass"', 'expect = "deny"'), "near miss"),
    (GOOD.replace('run = "ls"', 'run = "ls"\nargv = ["ls"]'), "exactly one of run, argv and tool"),
    (
        GOOD.replace('decision = "deny"', 'decision = "advice"').replace('expect = "deny"', 'expect = "advice"'),
        "needs the text in `advice`",
    ),
    (GOOD.replace('decision = "deny"', 'decision = "deny"\nrewrite = "with-limits"'), "go together"),
    (GOOD.replace('decision = "deny"', 'decision = "deny"\nfinal = true\nescape = true'), "has no escape"),
]


@pytest.mark.parametrize(("text", "told"), BAD)
def test_refused_with_place_and_remedy(text, told):
    with pytest.raises(RuleError) as error:
        read(text, "team/x.toml", Rule)
    assert re.match(r"team/x\.toml(:\d+)?: ", str(error.value))
    assert told in str(error.value)


def test_a_string_stands_for_a_list_of_one():
    assert read(GOOD, "x", Rule).match[0].program == ["git"]
