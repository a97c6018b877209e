"""The reader's own check: what it read and did not hand on makes the text unparsed, whatever part of it is at fault."""

from __future__ import annotations

import pytest

from policy.shell import Unparsed, grammar, parse, productions
from policy.shell.nodes import Node
from policy.shell.script import Writer
from policy.shell.tokens import Lexer

TEXT = "if a; then b; elif c; then d; elif e $(f); then rm q; else h; fi"


@pytest.fixture
def spoiled(monkeypatch):
    """Put another action in the place of one, as a mistake in the grammar would."""

    def spoil(name, action):
        monkeypatch.setitem(productions.ACTIONS, name, action)
        monkeypatch.setattr(grammar, "_bound_tables", None)

    yield spoil
    monkeypatch.undo()
    grammar._bound_tables = None


def test_it_is_read_when_nothing_is_wrong():
    assert len(parse(TEXT).commands) == 8


def drop_nested_elif(values):
    node = Node("if", values[0][1], values[0][2], [("condition", values[1]), ("then", values[3])])
    node.parts += [("else", values[5])] if len(values) == 6 else []
    return node


def drop_redirections(values):
    return values[0]


def keep_first_of_list(values):
    return [values[0]] if len(values) == 1 else values[0]


FAULTS = [
    ("p_elif_clause", drop_nested_elif, TEXT),
    ("p_command", lambda values: values[0], "{ a; } >b"),
    ("p_simple_list1", keep_first_of_list, "a; rm $q"),
    ("p_pipeline", lambda values: [values[0]] if len(values) == 1 else values[3], "rm $q | a"),
    ("p_function_body", drop_redirections, "f() { a; } >b"),
]


@pytest.mark.parametrize(("name", "action", "text"), FAULTS)
def test_an_action_that_drops_something_is_noticed(spoiled, name, action, text):
    spoiled(name, action)
    with pytest.raises(Unparsed, match="not followed"):
        parse(text)


def test_a_substitution_that_is_not_entered_is_noticed(monkeypatch):
    monkeypatch.setattr(Writer, "_enter", lambda *_: None)
    with pytest.raises(Unparsed, match="not followed"):
        parse("a $(rm q)")


def test_text_that_no_token_covers_is_noticed(monkeypatch):
    skip = Lexer._skip

    def skip_more(self):
        start = skip(self)
        return start + 3 if self.scanner.text.startswith("rm ", start) else start

    monkeypatch.setattr(Lexer, "_skip", skip_more)
    with pytest.raises(Unparsed, match="no token covers"):
        parse("a; rm q $x")


def test_a_failure_inside_is_unparsed(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(Writer, "simple", fail)
    monkeypatch.setattr("policy.shell.script._VISITS", {"simple": fail})
    with pytest.raises(Unparsed, match="the reader failed"):
        parse("a $x")
