"""What the seed systems' hook decided, or should have (rows ATP-41 to ATP-77 of the shared reference): equalled by shipped and configured rules.

A row's "wanted" are the actions that do; "advice" and "none" speak of what travels beside a pass.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from policy.model import Request
from policy.rules.given import GivenWorld

ROWS = [json.loads(line) for line in Path(__file__).with_name("seed_rows.jsonl").read_text().splitlines()]
CONFIG = """
[rules."conventions/allow-reading".parameters]
commands = ["sleep","echo","head","tail","cat","wc","date","true","grep","ls","which","jj log","jj status","jj diff","jj show","jj bookmark list","git log","git status","git diff","git show","git worktree list"]
vouched = ["weft list", "weft log", "ruff check", "ruff format"]
[rules."conventions/task-runner-target".parameters]
commands = ["pdflatex", "latexmk", "lualatex"]
targets = ["pdf", "build-pdf", "build_pdf", "build pdf"]
[rules."conventions/tool-not-used".parameters]
commands = ["pip install", "python -m pip"]
where = ["pyproject.toml"]
use = ["uv add {operands}"]
[rules."conventions/option-value".parameters]
commands = ["remote-jobs", "weft run", "weft queue add"]
[rules."conventions/remote-path".parameters]
paths = ["*.remote-jobs*", "*/queue"]
folders = ["~/code/research"]
use = ["remote-jobs list"]
[rules."conventions/script-lacks".parameters]
commands = ["weft run", "weft queue add"]
needs = ["flush=True|python -u", "Progress:", "SIGTERM"]
[rules."conventions/missing-flag".parameters]
commands = ["weft run", "weft queue add"]
flags = ["--wait", "--no-wait"]
[rules."conventions/first-run-review".parameters]
commands = ["weft run", "uv run"]
scripts = ["*exp_*.py", "experiments/*.py", "*/experiments/*.py"]
marker = ["lab-notebook"]
[rules."conventions/synced-folder".parameters]
programs = ["rsync"]
folders = ["~/code/shared"]
[rules."conventions/transfer-host".parameters]
programs = ["scp", "rsync"]
hosts = ["host", "*.lab.example"]
[rules."conventions/transfer-excludes".parameters]
programs = ["scp", "rsync"]
folders = ["~/code"]
[rules."conventions/tests-through-script".parameters]
commands = ["pytest"]
scripts = ["tests/run"]
"""


@pytest.fixture(scope="module")
def engine(configured):
    return configured(CONFIG)


@pytest.mark.parametrize("row", ROWS, ids=[f"{number} {row['seed']}" for number, row in enumerate(ROWS)])
def test_row(row, engine):
    world = GivenWorld(row["given"])
    request = Request(
        text=row["request"],
        cwd=world.cwd,
        home=world.home,
        environment={"HOME": world.home, "PATH": "/usr/bin"},
        dialect="bash",
    )
    decision = engine.decide(request, world)
    beside = "advice" if decision.advice else "none"
    answers = {decision.action, beside} if decision.action == "pass" else {decision.action}
    assert answers & set(row["wanted"]), (row["request"], decision.action, decision.reason)


def test_every_row_of_the_rules_is_here():
    """44 to 53, 58 to 62 and so on share a row's rule; what is left out is the review's wire protocol (65), ours is another one."""
    assert {row["seed"] for row in ROWS} >= {
        f"ATP-{n}" for n in (42, 44, 45, 47, 48, 49, 50, 52, 53, 54, 55, 56, 58, 60, 61, 62, 63, 66, 69, 70, 74, 77)
    }
