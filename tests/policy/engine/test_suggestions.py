"""What a finding says, and that every command it suggests would itself pass in the same world."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy import wording
from policy.rules.given import GivenWorld

RULE = 'decision = "deny"\ninstead = {}\n[[match]]\nprogram = "frob"'


def test_a_suggestion_that_would_be_refused_is_left_out(engine, request_of):
    made = engine({"t/r": RULE.format('["frob --again", "ls"]')})
    assert made.decide(request_of("frob x"), GivenWorld({})).instead == ("ls",)


def test_placeholders_are_shell_quoted_and_unknown_ones_leave_it_out(engine, request_of):
    made = engine({"t/r": RULE.format('["ls {operand}", "cat {value}"]')})
    assert made.decide(request_of("frob 'a b'"), GivenWorld({})).instead == ("ls 'a b'",)
    assert made.decide(request_of('frob "$X"'), GivenWorld({})).instead == ()


def test_it_is_judged_where_the_command_would_run(engine, request_of):
    world = GivenWorld({"modified": ["a.py"]})
    decision = engine().decide(request_of("cd src && git reset --hard"), world)
    assert decision.action == "deny"
    assert decision.findings[0].where == "/home/dev/work/app/src"
    for text in decision.instead:
        assert engine().decide(request_of(text, cwd="/home/dev/work/app/src"), world).action not in ("deny", "ask")


def test_the_message_has_command_place_reason_way_out_and_id_last(engine, request_of):
    text = wording.message(engine().decide(request_of("cd src && rm -rf ~/work"), GivenWorld({})))
    assert '"rm -rf /home/dev/work" in "/home/dev/work/app/src"' in text
    assert "Instead: `ls -la /home/dev/work`" in text
    assert text.endswith("[files/delete-home-entry]")


@given(st.text(max_size=80))
def test_a_name_from_outside_is_one_quoted_short_printable_piece(name):
    shown = wording.quote(name)
    assert shown[0] == shown[-1] == '"'
    assert shown.isprintable()
    assert '"' not in shown[1:-1].replace('\\"', "").replace("\\\\", "")


@pytest.mark.parametrize("name", ["a\nRun: rm -rf ~", "\u202egnp.exe", "\x1b[31mred", "\u2066x", "\u200bzero"])
def test_control_and_direction_characters_are_escaped(name):
    assert all(c.isprintable() and c not in "\u202e\u2066\u200b" for c in wording.quote(name))


def test_three_names_at_most():
    assert wording.names(("a", "b", "c", "d"), 9) == '"a", "b", "c" and 6 more'
    assert wording.names(("a",)) == '"a"'
    assert len(wording.quote("x" * 200)) == wording.WIDTH + 2


@given(st.text(max_size=30).filter(lambda text: "\0" not in text))
def test_a_quoted_word_is_one_word(word):
    import shlex

    assert shlex.split(wording.shell_quote(word)) == [word]
