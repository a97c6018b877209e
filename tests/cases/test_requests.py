"""Requests that people reported, each judged in a fixture of its own context; nothing that a case requests is run.

A case is right when the answer is in its "accept". DIFFERENCES names those that we answer otherwise, with the reason.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "requests.jsonl").read_text().splitlines() if line.strip()
]
JUDGED = [case for case in CASES if case["accept"]]
INNOCENT = [case for case in JUDGED if case["kind"] == "false-positive"]

DIFFERENCES: dict[str, str] = {}
"""Case id to the reason why our answer is another one."""


@pytest.mark.parametrize("case", JUDGED, ids=[case["id"] for case in JUDGED])
def test_case(case, answer):
    right = answer(case) in case["accept"]
    assert right is not (case["id"] in DIFFERENCES), (
        f"{case['request']}: {answer(case)}, wanted {case['accept']}: {case['why']}"
    )


def test_innocents_are_undisturbed_where_every_question_is_a_refusal(answer):
    disturbed = [case["id"] for case in INNOCENT if answer(case, "codex") in {"deny", "ask"}]
    assert len(disturbed) <= len(INNOCENT) // 100, disturbed
