"""Shells that judge, and the shared material beside the repository."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2].parent / "shared"
sys.path.insert(0, str(HERE))


@pytest.fixture
def markers(tmp_path):
    from shell_markers import Markers

    return Markers(tmp_path)


@pytest.fixture(scope="session")
def requests() -> list[str]:
    path = SHARED / "corpora" / "requests.jsonl"
    if not path.exists():
        pytest.skip("the corpus is not here")
    with path.open() as lines:
        return [json.loads(line)["text"] for line in lines]
