"""A text without a rule's literals is one on which the rule cannot match."""

from __future__ import annotations

import pytest

from policy.rules import literals
from policy.rules.given import judge
from policy.rules.schema import EFFECTS


def met(group, text):
    words = set("".join(c if c.isalnum() or c in "_-." else " " for c in text).split())
    return any(
        literal in words if literal[0].isalnum() or literal[0] in "@._" else literal in text for literal in group
    )


def test_every_hit_of_every_rule_has_its_literals(shipped, everything):
    published = everything.literals
    launching = set(everything.config["launching"])
    missing = []
    for rule in shipped.rules.values():
        for example in rule.rule.example:
            text = example.run
            words = set((text or "").replace("/", " ").split())
            if words & launching:
                continue
            if text is None or example.parameters or judge(example, rule.id, everything)[0] == "pass":
                continue
            plain = text.replace("''", "").replace("\\", "").replace('"', " ").replace("'", " ")
            if not any(all(met(group, plain) for group in groups) for groups in published[rule.id]):
                missing.append((rule.id, text))
    assert missing == []


@pytest.mark.parametrize(
    ("tests", "groups"),
    [
        ({"program": ("docker",), "subcommand": ("run", "exec")}, 2),
        ({"program": ("git",), "subcommand": ("reset",)}, 1),
        ({"program": ("docker",), "subcommand": ("r*",)}, 1),
        ({"environment": (("PATH", None),)}, 1),
        ({"started_by_path": True}, 1),
        ({"place": ("local",)}, 0),
    ],
)
def test_groups(tests, groups, everything):
    names = literals.Names({name: everything.grammar_bytes[name] for name in everything.grammar_bytes}, EFFECTS)
    ((found,),) = (literals.of(((tuple(tests.items()), (), ()),), names),)
    assert len(found) == groups


def test_a_program_is_published_under_all_its_names(everything):
    shells = {name for groups in everything.literals["exec/download-run"] for group in groups for name in group}
    assert {"bash", "sh", "dash"} <= shells


def test_effects_are_published_as_the_programs_that_have_them(everything):
    (groups,) = everything.literals["files/delete-moved-into"]
    assert {"rm", "find"} <= set(groups[0])


def test_no_shipped_rule_concerns_every_command(everything):
    assert [rule for rule, found in everything.literals.items() if any(not groups for groups in found)] == []
