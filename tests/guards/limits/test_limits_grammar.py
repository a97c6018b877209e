"""The guard reads a command line of with-limits as with-limits itself does: else a command behind it would go unseen."""

import tomllib
from pathlib import Path

import pytest

from guards.limits.options import FLAGS, OPTIONAL, VALUES

FILE = Path(__file__).resolve().parents[3] / "rules/programs/with-limits.toml"


@pytest.fixture(scope="module")
def grammar():
    """Option to how the grammar has it take a value: "=" always, "[=]" attached only, "" never; and by which field of ours it is known."""
    if not FILE.exists():
        pytest.skip("only with the whole distribution")
    found = {}
    for line in tomllib.loads(FILE.read_text())["options"]:
        words = line.split()
        names = [word for word in words if word.startswith("-")]
        kind = next((word for word in words if word in {"=", "[=]"}), "")
        found |= dict.fromkeys(names, (kind, names))
    return found


def test_every_option_is_there_and_takes_its_value_the_same_way(grammar):
    ours = dict.fromkeys(VALUES, "=") | dict.fromkeys({**FLAGS}, "") | dict.fromkeys(OPTIONAL, "[=]")
    assert {name: kind for name, (kind, _) in grammar.items()} == ours


def test_other_names_are_of_the_same_option(grammar):
    fields = {name: field for table in (FLAGS, OPTIONAL, VALUES) for name, (field, *_) in table.items()}
    for name, (_, names) in grammar.items():
        assert {fields[other] for other in names} == {fields[name]}
