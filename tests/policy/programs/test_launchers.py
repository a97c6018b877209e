"""Every launching form of every known launcher surfaces what it launches, and nothing that is only data."""

import json
import tomllib
from pathlib import Path

import pytest

from policy.flow import read
from policy.model import Request
from policy.programs import Grammars
from policy.programs.compile import grammars
from policy.world import PathFacts, Repository

ROOT = Path(__file__).parents[3]
TABLE = tomllib.loads(Path(__file__).with_name("launched.toml").read_text())
GRAMMARS = Grammars(grammars(str(ROOT / "rules" / "programs")))
REFERENCE = ROOT.parent / "shared" / "reference" / "launchers.jsonl"


class Nowhere:
    """A world in which nothing can be read."""

    def read_text(self, path, limit):
        return None

    def path(self, path):
        return PathFacts("missing")

    def listdir(self, path, limit):
        return ()

    def repository(self, cwd, environment):
        return Repository("none")

    def config(self, repository, key):
        return None


def programs(text):
    request = Request(text=text, cwd="/home/dev/app", home="/home/dev", dialect="bash")
    return [invocation.program for invocation in read(request, Nowhere(), GRAMMARS).invocations]


@pytest.mark.parametrize("line", [line for row in TABLE.values() for line in row.get("runs", ())])
def test_the_launched_program_is_found(line):
    assert "m" in programs(line)


@pytest.mark.parametrize("line", [line for row in TABLE.values() for line in row.get("not", ())])
def test_a_word_that_is_data_is_no_program(line):
    assert "m" not in programs(line)


def test_every_measured_launcher_has_lines():
    if not REFERENCE.exists():
        pytest.skip("the reference material is not here")
    names = {json.loads(line)["program"] for line in REFERENCE.read_text().splitlines()}
    missing = {name for name in names if not name.startswith("git ") and name not in TABLE}
    assert missing == set()
