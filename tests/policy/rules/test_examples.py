"""Every shipped rule keeps its word on its examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from policy.rules import catalog, checked

if TYPE_CHECKING:
    from policy.rules.schema import Rule

NAMES = [name for name, _ in catalog.rule_files(catalog.shipped())]


@pytest.mark.parametrize("name", NAMES)
def test_examples_and_suggestions(name, shipped, everything):
    assert checked.tried_out(shipped.rules[name], everything).faults == ()


@pytest.mark.parametrize("name", NAMES)
def test_texts_fit_into_a_sentence(name, shipped):
    rule: Rule = shipped.rules[name].rule
    for text in (rule.summary, rule.why):
        assert text == text.strip()
        assert not text.endswith(".")
        assert "\n" not in text
    assert rule.summary[0].islower() or rule.summary.split()[0] in {"git", "jj", "HEAD"}
