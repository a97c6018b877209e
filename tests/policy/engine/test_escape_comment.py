"""`# gatepost: allow PACK/RULE because REASON`: a real trailing comment of the very command, and only where the rule declares it."""

from __future__ import annotations

import pytest

from policy.rules.given import GivenWorld

RULE = 'decision = "deny"\n{}\n[[match]]\nprogram = "frob"'
WITH, WITHOUT = RULE.format("escape = true"), RULE.format("")
ALLOW = "# gatepost: allow t/r because it is Tuesday"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (f"frob x {ALLOW}", "pass"),
        (f"( frob x ) {ALLOW}", "pass"),
        (f"ls; frob x; {ALLOW}", "pass"),
        (f"frob x\nls {ALLOW}", "deny"),
        (f"frob x; ls {ALLOW}", "deny"),
        (f"frob x\n{ALLOW}", "deny"),
        (f"{ALLOW}\nfrob x", "deny"),
        (f"frob '{ALLOW}'", "deny"),
        (f'frob "x {ALLOW}"', "deny"),
        (f"echo '{ALLOW}'; frob x", "deny"),
        (f"frob x#{ALLOW}", "deny"),
        ("frob x # gatepost: allow t/r", "deny"),
        ("frob x # gatepost: allow t/r because ", "deny"),
        ("frob x # gatepost: allow t/other because it is Tuesday", "deny"),
        ("frob x # gatepost: allow t/ because it is Tuesday", "deny"),
        (f"bash -c 'frob x' {ALLOW}", "pass"),
        (f"bash -c 'frob x {ALLOW}'", "deny"),
        (f"frob a {ALLOW}\nfrob b", "deny"),
    ],
)
def test_lifts_only_the_very_command(text, action, engine, request_of):
    assert engine({"t/r": WITH}).decide(request_of(text), GivenWorld({})).action == action


def test_a_rule_without_escape_is_not_lifted(engine, request_of):
    assert engine({"t/r": WITHOUT}).decide(request_of(f"frob x {ALLOW}"), GivenWorld({})).action == "deny"


def test_what_was_lifted_stays_visible(engine, request_of):
    (finding,) = engine({"t/r": WITH}).decide(request_of(f"frob x {ALLOW}"), GivenWorld({})).findings
    assert (finding.rule, finding.action, finding.escape) == ("t/r", "pass", True)
