"""Rewrites: new text in the spans of the commands that it concerns, so that `cd` and `export` beside them keep working."""

from __future__ import annotations

from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.model import Command, Finding, Reading, Request

STAYS_IN_SHELL = frozenset(
    [
        ".",
        "alias",
        "builtin",
        "cd",
        "command",
        "coproc",
        "eval",
        "exec",
        "export",
        "hash",
        "local",
        "read",
        "readonly",
        "source",
        "time",
        "trap",
        "typeset",
        "unset",
        "declare",
    ]
)
"""Words that only a shell understands: nothing can be put in front of them."""


def rewritten(findings: tuple[Finding, ...], request: Request, reading: Reading, config: dict[str, Any]) -> str | None:
    """The request's text with `BIN/with-limits OPTIONS --` in front of every command that a rewrite concerns; None when that is not safely possible.

    The options are the rule's; of several rules for one command the one that gives most counts.
    """
    if request.argv is not None or not config["bin"] or reading.script is None:
        return None
    places: dict[int, list[str]] = {}
    for finding in findings:
        if finding.action == "rewrite" and finding.invocation is not None:
            place = _place(finding.invocation, reading, request)
            if place is None:
                return None
            options = finding.rewrite.split()[1:]
            places[place] = max(places.get(place, []), options, key=len)
    text = request.text
    program = f"{config['bin']}/with-limits"
    for place in sorted(places, reverse=True):
        front = " ".join(map(shell_quote, (program, *places[place], "--")))
        text = text[:place] + front + " " + text[place:]
    return text if places else None


def _place(position: int, reading: Reading, request: Request) -> int | None:
    """Where the command's own words begin in the text."""
    invocation = reading.invocations[position]
    if invocation.argv_span is None or reading.script is None or reading.script.text != request.text:
        return None
    command = next((c for c in reading.script.commands if c.span == invocation.span and c.exact), None)
    return None if command is None else _first_program(command)


def _first_program(command: Command) -> int | None:
    """Past `command` and `exec`, which hand over to a program; nothing where a word is a shell's own."""
    for word in command.words:
        if word.value in ("command", "exec"):
            continue
        if word.value is None or word.value in STAYS_IN_SHELL or word.value.startswith("-"):
            return None
        return word.span[0]
    return None
