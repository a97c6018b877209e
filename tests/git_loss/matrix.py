"""Forms in states: each state is made once, and put back before every form that is judged and then really run in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from guards.world import RealWorld
from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import ACTIONS, Request
from policy.rules import catalog
from policy.rules.compile import pack
from policy.rules.predicates import well_known
from tests.git_loss.bench import Bench
from tests.git_loss.measured import losses, snapshot
from tests.git_loss.states import build

HERE = Path(__file__).resolve().parent
TIMEOUT = 30
LOSS_RULES = (
    "git/reset-hard", "git/checkout-discard", "git/switch-discard", "git/restore-discard", "git/clean", "git/stash-drop", "git/stash-shared",
    "git/remove-uncommitted", "git/abort-discard", "git/abort-resolved", "git/overwrite-ignored", "git/lose-commits", "git/commits-to-reflog",
    "git/unstage", "git/reflog-expire", "git/prune-now", "git/worktree-remove", "git/submodule-discard", "git/plumbing-discard",
    "git/output-over-edits", "git/push-force", "git/push-force-lease", "git/push-delete", "git/push-delete-branch", "git/rewrite-history",
    "files/delete-repository", "files/delete-uncommitted", "files/delete-outside", "files/empty-uncommitted",
)  # fmt: skip
"""Rules that speak of lost work; what others say of a form (an editor, a hook, a program in the configuration) is left aside."""


def pairs() -> list[tuple[str, str]]:
    """Every (form, state) that was measured."""
    found = []
    for line in (HERE / "forms.tsv").read_text().splitlines():
        form, _, states = line.partition("\t")
        found += [(form, state) for state in states.split()]
    return found


def engine() -> Engine:
    """The shipped rules, compiled in memory."""
    given = catalog.sources("/nonexistent", "/nonexistent")
    content, _ = pack(given, catalog.load(given), check=False)
    return Engine.of(Compiled(content))


class Result(NamedTuple):
    """`said` the strongest action of the loss rules, `rules` those that spoke; `real` what was destroyed; `status` the exit status."""

    form: str
    state: str
    said: str
    rules: tuple[str, ...]
    real: dict[str, set[str]]
    status: int


class Matrix:
    """Works in one folder; absolute paths in a state stay true because it is always put back to the same place."""

    def __init__(self, root: Path, program: str, builder: str, judge: Engine) -> None:
        self.place = root / "bench"
        self.store = root / "states"
        self.store.mkdir()
        self.program = program
        self.builder = builder
        self.judge = judge

    def bench(self, state: str) -> Bench:
        """The state, fresh."""
        kept = self.store / state
        shutil.rmtree(self.place, ignore_errors=True)
        if not kept.exists():
            build(self.place, self.builder, state)
            subprocess.run(["cp", "-a", str(self.place), str(kept)], check=True)
        else:
            subprocess.run(["cp", "-a", str(kept), str(self.place)], check=True)
        return Bench(self.place, self.program)

    def result(self, form: str, state: str) -> Result:
        bench = self.bench(state)
        before = snapshot(bench)
        said, rules = self.said(bench, form)
        after = snapshot(bench)
        assert after == before, "judging changed something"
        done = subprocess.run(
            ["bash", "-c", form],
            cwd=bench.repo,
            env=bench.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
        )
        return Result(form, state, said, rules, losses(bench, before), done.returncode)

    def said(self, bench: Bench, form: str) -> tuple[str, tuple[str, ...]]:
        """The strongest action of the rules about loss."""
        world = RealWorld(bench.env, str(bench.home))
        request = Request(text=form, cwd=str(bench.repo), home=str(bench.home), environment=bench.env, dialect="bash")
        with patch.object(well_known, "TEMPORARY", ()):  # the bench lies in one, where nothing would be anybody's loss
            findings = self.judge.explain(request, world).decision.findings
        failed = [finding.reason for finding in findings if finding.rule == "gatepost/error"]
        assert not failed, failed
        mine = [finding for finding in findings if finding.rule in LOSS_RULES]
        strongest = max((ACTIONS.index(f.action) if f.action in ACTIONS else 0.5 for f in mine), default=0)
        name = "advice" if strongest == 0.5 else ACTIONS[int(strongest)]
        return name, tuple(sorted({finding.rule for finding in mine}))
