"""Requests that people reported, as bypasses or as false alarms: exactly the commands that matter are found."""

import sys
import tomllib
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import flowlines

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text())
FLOWS = tomllib.loads(Path(__file__).with_name("flows.toml").read_text())
GRAMMARS = flowlines.load()


@pytest.mark.parametrize("name", CASES)
def test_reported_request(name, monkeypatch):
    case = CASES[name]
    monkeypatch.setattr(flowlines, "CWD", case["cwd"])
    assert flowlines.lines(case["request"], GRAMMARS, case.get("files"), cwd=case["cwd"]) == case["lines"]


@pytest.mark.parametrize(
    ("subject", "row"), [(subject, row) for subject, rows in FLOWS.items() if subject != "files" for row in rows]
)
def test_flow(subject, row):
    text, *expected = row
    assert flowlines.lines(text, GRAMMARS, FLOWS["files"], environment={"PATH": "/usr/bin:/bin"}) == expected
