"""docs/hosts.md speaks of every host that the hook answers."""

from __future__ import annotations

import re
from pathlib import Path

from guards.hook.hosts import HOSTS, find

PAGE = Path(__file__).resolve().parents[3] / "docs/hosts.md"


def rows():
    for line in PAGE.read_text().splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            for name in re.findall(r"`([a-z]+)`", cells[0]):
                yield name, cells


def test_every_host_has_a_row_that_says_whether_it_can_be_asked():
    found = dict(rows())
    assert set(found) == set(HOSTS)
    for name, cells in found.items():
        assert (cells[2] == "refused") != find(name).ASKS, name
