"""No command that a shell really runs may be missing from the Script: random programs of markers, executed and read."""

from __future__ import annotations

import shutil
from random import Random

import pytest
from shell_mutations import mutated
from shell_programs import Programs
from shell_soups import Soup

from policy.shell import Unparsed, parse

DIALECTS = {"bash": "bash", "zsh": "zsh", "dash": "sh"}
WRAPPERS = ("time", "coproc", "eval", "noglob", "nocorrect", "-", "repeat", "builtin", "command", "exec")
"""Words that other layers unwrap: what follows them may be a command's name."""

FULL = pytest.mark.full
PROGRAMS = [
    ("bash", 1, 500),
    ("bash", 2, 500),
    ("dash", 1, 150),
    ("zsh", 1, 150),
    *[pytest.param("bash", seed, 5000, marks=FULL) for seed in (11, 12, 13, 14, 15)],
    *[pytest.param(shell, seed, 3000, marks=FULL) for shell in ("dash", "zsh") for seed in (11, 12)],
]
SOUPS = [
    ("bash", 1, 500),
    ("dash", 1, 250),
    ("zsh", 1, 250),
    *[pytest.param(shell, seed, 8000, marks=FULL) for shell in DIALECTS for seed in (11, 12)],
]


def need(shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")


def reported(text, dialect):
    """The names that the reading reports; None among them stands for a command word that is unknown."""
    names = set()
    for command in parse(text, dialect).commands:
        values = [item.value for item in command.words]
        names.update(values if values[:1] and values[0] in WRAPPERS else values[:1])
    return names


@pytest.mark.parametrize(("shell", "seed", "count"), PROGRAMS)
def test_every_command_that_ran_was_reported(markers, shell, seed, count):
    need(shell)
    random = Random(seed)
    executed = 0
    missed, unparsed = [], []
    for _ in range(count):
        text = Programs(random, shell).text()
        try:
            names = reported(text, DIALECTS[shell])
        except Unparsed as error:
            if markers.accepts(shell, text):
                unparsed.append((str(error), text))
            continue
        ran = markers.executed(shell, text)
        executed += len(ran)
        if ran - names and None not in names:
            missed.append((sorted(ran - names), text))
    print(
        f"{shell} {seed}: {count} programs, {executed} commands executed, {len(missed)} missed, {len(unparsed)} unparsed"
    )
    assert not missed
    assert executed > count // 3
    if shell == "bash":
        assert len(unparsed) * 200 <= count, unparsed[:3]


MUTATIONS = [
    ("bash", 1, 300),
    ("dash", 1, 150),
    ("zsh", 1, 150),
    *[pytest.param(shell, seed, 5000, marks=FULL) for shell in DIALECTS for seed in (11, 12)],
]


@pytest.mark.parametrize(("shell", "seed", "count"), MUTATIONS)
def test_no_mutation_hides_a_command(markers, shell, seed, count):
    need(shell)
    check([mutated(random, shell) for random in [Random(seed)] for _ in range(count)], markers, shell)


@pytest.mark.parametrize(("shell", "seed", "count"), SOUPS)
def test_no_soup_hides_a_command(markers, shell, seed, count):
    need(shell)
    check([Soup(random).text() for random in [Random(seed)] for _ in range(count)], markers, shell)


def check(texts, markers, shell):
    """Of the texts that are read whole, with every command's name known, nothing runs that is not reported."""
    executed = 0
    for text in texts:
        try:
            names = reported(text, DIALECTS[shell])
        except Unparsed:
            continue
        if None in names or "eval" in names:
            continue
        ran = markers.executed(shell, text)
        executed += len(ran)
        assert not ran - names, text
    assert executed > len(texts) // 12
