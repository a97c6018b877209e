from __future__ import annotations

import pytest

from policy.rules.fact import FactResult
from policy.rules.given import GivenWorld
from policy.world import Unanswered

LS = 'decision = "{}"\n[[match]]\nprogram = "ls"'
FACT = 'decision = "{}"\n[[match]]\nprogram = "ls"\n[when]\nfed = true'


def rules(**texts):
    return {f"t/{name}": text for name, text in texts.items()}


@pytest.mark.parametrize(
    ("given", "action"),
    [
        (("allow", "deny"), "deny"),
        (("ask", "allow"), "ask"),
        (("ask", "deny"), "deny"),
        (("allow",), "allow"),
        ((), "pass"),
    ],
)
def test_the_strictest_wins_whatever_the_order(given, action, engine, request_of):
    for order in (given, tuple(reversed(given))):
        made = engine(rules(**{f"r{n}": LS.format(word) for n, word in enumerate(order)}))
        assert made.decide(request_of("ls"), GivenWorld({})).action == action


def test_allow_speaks_only_for_a_whole_request(engine, request_of):
    made = engine(rules(a=LS.format("allow")))
    assert made.decide(request_of("ls -la; ls"), GivenWorld({})).action == "allow"
    assert made.decide(request_of("ls && make"), GivenWorld({})).action == "pass"
    assert made.decide(request_of("ls $(make)"), GivenWorld({})).action == "pass"


def test_allow_is_not_given_where_a_part_could_not_be_read(engine, request_of):
    made = engine(rules(a=LS.format("allow")))
    assert made.decide(request_of("ls; $UNKNOWN_WORD"), GivenWorld({})).action != "allow"


def test_advice_travels_beside_whatever_wins(engine, request_of):
    advice = 'advice = "think"\n' + LS.format("advice")
    both = engine(rules(a=advice, d=LS.format("deny"))).decide(request_of("ls"), GivenWorld({}))
    assert (both.action, both.rule, both.advice) == ("deny", "t/d", ("think",))
    alone = engine(rules(a=advice, b=advice)).decide(request_of("ls"), GivenWorld({}))
    assert (alone.action, alone.advice) == ("pass", ("think",))


def counting(answers):
    """A way to ask facts that counts."""
    asked = []

    def ask(name, invocation, world, question, reading):
        asked.append(name)
        answer = answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask, asked


def test_facts_are_asked_only_if_they_could_raise_the_action(engine, request_of):
    ask, asked = counting({"fed": FactResult(True)})
    made = engine(rules(plain=LS.format("deny"), fact=FACT.format("ask")), ask=ask)
    assert made.decide(request_of("ls"), GivenWorld({})).rule == "t/plain"
    assert asked == []
    stricter = engine(rules(plain=LS.format("ask"), fact=FACT.format("deny")), ask=ask)
    assert stricter.decide(request_of("ls"), GivenWorld({})).rule == "t/fact"
    assert asked == ["fed"]


def test_explain_asks_all_and_answers_the_same(engine, request_of):
    ask, asked = counting({"fed": FactResult(True)})
    made = engine(rules(plain=LS.format("deny"), fact=FACT.format("ask")), ask=ask)
    explained = made.explain(request_of("ls"), GivenWorld({}))
    decided = made.decide(request_of("ls"), GivenWorld({}))
    assert explained.decision.replace(findings=decided.findings) == decided
    assert asked == ["fed"]
    assert [finding.rule for finding in decided.findings] == ["t/plain"]
    assert [finding.rule for finding in explained.decision.findings] == ["t/plain", "t/fact"]
    assert [o.candidate.rule.id for o in explained.outcomes] == ["t/plain", "t/fact"]


def test_another_rules_way_out_is_offered_where_the_winner_has_none(engine, request_of):
    ask, asked = counting({"fed": FactResult(True, instead=("true",)), "piped": FactResult(True, instead=("ls",))})
    fact = FACT.format("deny")
    texts = rules(a=LS.format("deny"), b=fact.replace("fed", "piped"), c=FACT.format("ask"), d=fact)
    decision = engine(texts, ask=ask).decide(request_of("ls"), GivenWorld({}))
    assert (decision.rule, decision.instead) == ("t/a", ("true",))
    assert asked == ["piped", "fed"]


def test_a_fact_that_does_not_hold_leaves_the_rule_silent(engine, request_of):
    ask, _ = counting({"fed": FactResult(False)})
    assert engine(rules(f=FACT.format("deny")), ask=ask).decide(request_of("ls"), GivenWorld({})).action == "pass"


def test_a_fact_that_cannot_be_told_counts_as_held_and_asks(engine, request_of):
    ask, _ = counting({"fed": FactResult(None)})
    assert engine(rules(f=FACT.format("deny")), ask=ask).decide(request_of("ls"), GivenWorld({})).action == "ask"


def test_a_world_that_does_not_answer_is_a_finding_of_its_own(engine, request_of):
    ask, _ = counting({"fed": Unanswered("too slow")})
    decision = engine(rules(f=FACT.format("deny")), ask=ask).decide(request_of("ls"), GivenWorld({}))
    assert decision.action == "ask"
    assert {f.rule for f in decision.findings} == {"t/f", "world/unknown"}


def test_a_soft_rule_waits_where_the_directory_is_not_known_yet(engine, request_of):
    soft = FACT.format("deny").replace("[[match]]", 'maybe = "pass"\n[[match]]')
    ask, _ = counting({"fed": Unanswered("the directory is not known")})
    assert engine(rules(f=soft), ask=ask).decide(request_of('cd "$X" && ls'), GivenWorld({})).action == "pass"
    assert engine(rules(f=soft), ask=ask).decide(request_of("ls"), GivenWorld({})).rule == "world/unknown"
    hard = engine(rules(f=FACT.format("deny")), ask=ask)
    assert hard.decide(request_of('cd "$X" && ls'), GivenWorld({})).action == "ask"


def test_a_fact_that_breaks_asks_and_says_so(engine, request_of):
    ask, _ = counting({"fed": RuntimeError("boom")})
    decision = engine(rules(f=FACT.format("deny")), ask=ask).decide(request_of("ls"), GivenWorld({}))
    assert (decision.action, decision.rule) == ("ask", "t/f")
    assert "boom" in decision.reason


def test_whatever_breaks_while_reading_asks_and_says_so(engine, request_of, monkeypatch):
    def broken(*_):
        raise RecursionError("deep")

    monkeypatch.setattr("policy.flow.read", broken)
    decision = engine().decide(request_of("ls"), GivenWorld({}))
    assert (decision.action, decision.rule) == ("ask", "gatepost/error")


def test_a_match_that_breaks_asks_and_says_so(engine, request_of, monkeypatch):
    def broken(*_):
        raise ValueError("odd")

    monkeypatch.setitem(__import__("policy.rules.match", fromlist=["x"]).TESTS, "place", broken)
    decision = engine(rules(f=LS.format("deny"))).decide(request_of("ls"), GivenWorld({}))
    assert (decision.action, decision.rule) == ("ask", "t/f")


@pytest.mark.parametrize(
    "text", ["", "   ", "# only a comment", "ls -la", "echo 'git reset --hard'", "make && npm test"]
)
def test_nothing_to_say_is_pass(text, engine, request_of):
    decision = engine().decide(request_of(text), GivenWorld({}))
    assert (decision.action, decision.rule, decision.findings) == ("pass", "", ())


@pytest.mark.parametrize(("text", "rule"), [("echo $(", "shell/unparsed"), ("if true; then", "shell/unparsed")])
def test_text_that_cannot_be_read_asks(text, rule, engine, request_of):
    decision = engine().decide(request_of(text), GivenWorld({}))
    assert (decision.action, decision.rule) == ("ask", rule)


def test_a_command_on_another_machine_is_not_judged_by_this_one(engine, request_of):
    fact = 'decision = "deny"\n[[match]]\nprogram = "ls"\n[when]\nmade_here = true\nproject_has = ["x"]'
    ask, asked = counting({"made_here": FactResult(True)})
    decision = engine(rules(f=fact), ask=ask).decide(request_of("ssh h ls"), GivenWorld({}))
    assert decision.action == "ask"
    assert "project_has" not in asked
