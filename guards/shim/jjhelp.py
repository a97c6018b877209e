"""Whether the grammar of jj knows the installed jj: its commands, and which of their options take a value."""

from __future__ import annotations

import re

from policy.record import Record
from shims.reading import part_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from guards.layout import Layout

ASKED = ("--ignore-working-copy", "util", "markdown-help")
"""The words by which jj prints the help of all its commands; it reads no repository for that."""

COMMAND = re.compile(r"^## `jj(?: (?P<name>.+))?`$")
OPTION = re.compile(r"^\* (?P<spellings>`-[^`]*`(?:, `-[^`]*`)*)(?: \[alias(?:es)?: (?P<more>[^\]]*)\])?(?: — | *$)")
SPELLING = re.compile(r"^--?[A-Za-z][A-Za-z-]*$")


class Difference(Record):
    """A command that the grammar does not know, or an option of it that it reads otherwise ("" when it is about the command itself)."""

    command: str
    option: str

    def __str__(self) -> str:
        return f"jj {self.command} {self.option}".rstrip()


def differences(text: str, grammar: Mapping[str, Any]) -> list[Difference]:
    """What the help says otherwise than the compiled grammar."""
    found = []
    for command, options in commands(text).items():
        if command and command not in grammar["subs"]:
            found.append(Difference(command, ""))
            continue
        known = {**grammar["opts"], **(part_of(grammar, command)["opts"] if command else {})}
        found += [
            Difference(command, option)
            for option, valued in options.items()
            if option not in known or bool(known[option][1]) is not valued
        ]
    return found


def commands(text: str) -> dict[str, dict[str, bool]]:
    """Each command in the help with its options: whether they take a value. "" stands for jj itself."""
    found: dict[str, dict[str, bool]] = {}
    options: dict[str, bool] = {}
    for line in text.splitlines():
        command, option = COMMAND.match(line), OPTION.match(line)
        if command:
            options = found.setdefault(command["name"] or "", {})
        elif option:
            options.update(_spelled(option["spellings"], option["more"] or ""))
    return found


def _spelled(spellings: str, more: str) -> Iterator[tuple[str, bool]]:
    shown = re.findall(r"`([^`]+)`", spellings)
    names = [re.split(r"[ =\[]", one)[0] for one in shown]
    names += [("-" if len(name) == 1 else "--") + name.lstrip("-") for name in re.findall(r"`([^`]+)`", more)]
    valued = any("<" in one for one in shown)
    yield from ((name, valued) for name in names if SPELLING.match(name))


def unknown(layout: Layout, program: str, environment: Mapping[str, str]) -> list[Difference]:
    """Ask the installed jj. Raises OSError when it cannot be started or does not tell, and policy.compiled.CompiledError."""
    from guards.shim import ask
    from policy.compiled import Compiled, CompiledError

    answer = ask.run((program, *ASKED), environment)
    if answer.status != 0 or not commands(answer.output).keys() - {""}:
        raise OSError(f"`{' '.join((program, *ASKED))}` ended with status {answer.status} and named no command")
    grammar = Compiled.load(layout.compiled, check=False).grammars.get("jj")
    if grammar is None:
        raise CompiledError("the compiled policy knows no jj; run: gatepost compile")
    return differences(answer.output, grammar)
