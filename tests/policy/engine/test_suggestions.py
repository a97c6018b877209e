"""What a finding says, and that every command it suggests would itself pass in the same world."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.hook import message
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
    text = message.refusal(engine().decide(request_of("cd src && rm -rf ~/work"), GivenWorld({})))
    assert '"rm -rf /home/dev/work" in "/home/dev/work/app/src"' in text
    assert "Run instead: `ls -la /home/dev/work`" in text
    assert text.endswith("[files/delete-home-entry]")


AWAY = [
    # the command, and what leads there: what stands here must not be spoken of as if it stood there
    ("ssh prod 'cd app && git reset --hard'", ""),
    ("ssh prod git clean -fdx", "on that machine"),
    ("docker exec web git checkout -- .", ""),
    ("docker exec web sh -c 'git clean -fdx'", "in that container"),
    ("kubectl exec pod -- sh -c 'git stash drop'", "in that container"),
    ("docker exec web ssh prod git push --force origin main", "on that machine"),
]
HERE = {"modified": ["src/mine.py"], "untracked": ["mine.txt"], "stashes": ["mine"], "would_lose": ["src/mine.py"]}


@pytest.mark.parametrize(("text", "where"), AWAY)
def test_a_suggestion_for_another_place_says_so_and_no_state_is_made_up(engine, request_of, text, where):
    decision = engine().decide(request_of(text), GivenWorld(HERE))
    said = message.refusal(decision)
    assert decision.action == "ask"
    assert (f"Run instead {where}: `git " in said) if where else ("Run instead" not in said)
    assert not any(
        word in said for word in ("mine", "/home/dev", "uncommitted change and", "untracked files", "1 of them")
    )


def test_a_suggestion_for_another_place_is_not_judged_by_what_stands_here(engine, request_of):
    in_jj = GivenWorld({"kind": "jj"})  # where git would be the wrong program
    decision = engine().decide(request_of("ssh prod git stash drop"), in_jj)
    assert (decision.instead[:1], decision.there) == (("git stash list",), "remote")


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
