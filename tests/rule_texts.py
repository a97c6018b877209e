"""Rules of a person's own, as files hold them."""

FROBNICATE = """\
summary = "runs frobnicate"
why = "it frobnicates"
decision = "deny"
[[match]]
program = "frobnicate"
[[example]]
run = "frobnicate x"
expect = "deny"
[[example]]
run = "ls"
expect = "pass"
"""
"""Refuses one program that nothing else speaks of."""
