"""Every refused example in forty spellings and more, elsewhere, and as data: each rule keeps its word on all of them."""

import pytest

from policy.rules import catalog, respell
from policy.rules.respell_away import container, remote
from policy.rules.respell_same import same

NAMES = [name for name, _ in catalog.rule_files(catalog.shipped())]


@pytest.mark.parametrize("name", NAMES)
def test_all_spellings(name, shipped, everything):
    score = respell.score(shipped.rules[name], everything)
    assert score.faults == ()
    assert score.reached


@pytest.mark.parametrize("reads_input", [True, False])
@pytest.mark.parametrize("text", ["git reset --hard", "cd lib && make; rm -rf x | tee y", "cat <<'EOF' > a\nx\nEOF"])
def test_there_are_enough_forms(text, reads_input):
    forms = list(same(text, reads_input=reads_input))
    assert len(forms) == len(set(forms)) >= respell.SPELLINGS
    assert len(list(respell.data(text))) >= respell.FORMS
    assert len([*remote(text, reads_input=reads_input), *container(text, reads_input=reads_input)]) >= 30


def test_rules_that_do_not_count_elsewhere_say_why(shipped):
    for found in shipped.rules.values():
        for place, reason in found.rule.not_in.items():
            assert len(reason.split()) >= 5, f"{found.id} in {place}"
            places = {where for match in found.rule.match for where in match.place}
            assert place not in places, f"{found.id} counts in {place} by its match, and not by not_in"


def test_a_rule_that_falls_short_is_told(shipped, everything):
    found = shipped.rules["git/reset-hard"]
    loose = found.rule.example[0].model_copy(update={"run": "git reset --soft", "expect": "deny"})
    score = respell.score(found.replace(rule=found.rule.model_copy(update={"example": [loose]})), everything)
    assert score.kept == 0
    assert score.least == 0
    assert not score.reached
    assert len(score.faults) == score.tried + score.away
