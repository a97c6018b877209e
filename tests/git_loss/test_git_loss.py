"""Every form of git that was measured, in every state: the rules' answer against what the real git destroys."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from tests.git_loss.agreement import fault
from tests.git_loss.matrix import Matrix, engine, pairs

SEED = "git-loss 1"
SAMPLE = 220
ALWAYS = [
    ("git reset --hard", "modified"), ("git reset --hard", "clean"), ("git reset --hard", "staged"), ("git reset --hard takes", "untracked"),
    ("git checkout .", "modified"), ("git checkout .", "staged"), ("git checkout takes", "ignored"), ("git restore --staged .", "staged"),
    ("git clean -fdx", "ignored"), ("git clean -n -fdx", "everything"), ("git stash -u && git reset --hard", "everything"),
    ("git stash -u; git reset --hard", "intent"), ("git stash clear", "stash"), ("git branch -D side", "unmerged"),
    ("git worktree remove --force ../linked", "linked"), ("git merge --abort", "merge"), ("git rebase --abort", "rebase"),
    ("git submodule foreach git reset --hard", "sub"), ("git push -f", "behindfetched"), ("git rm -rf .", "symlink"),
]  # fmt: skip


def programs() -> list[str]:
    """The system's git, and a newer one where it is found."""
    newer = Path(os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")) / "git"
    return [
        found
        for found in (shutil.which("git", path="/usr/bin:/usr/local/bin:/bin"), str(newer) if newer.exists() else None)
        if found
    ]


@pytest.fixture(scope="session")
def judge():
    return engine()


@pytest.fixture(scope="module", params=programs(), ids=lambda path: path.strip("/").replace("/", "-"))
def matrix(request, judge, tmp_path_factory):
    memory = Path("/dev/shm")
    root = (
        tmp_path_factory.mktemp("git-loss")
        if not os.access(memory, os.W_OK)
        else memory / f"gatepost-git-loss-{os.getpid()}"
    )
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(exist_ok=True, mode=0o700)
    yield Matrix(root, request.param, programs()[0], judge)
    shutil.rmtree(root, ignore_errors=True)


def told(matrix: Matrix, chosen: list[tuple[str, str]]) -> list[str]:
    """Every disagreement in words."""
    lines = []
    for form, state in sorted(chosen, key=lambda pair: pair[1]):
        result = matrix.result(form, state)
        kind = fault(result)
        if kind:
            lost = {name: sorted(what)[:3] for name, what in result.real.items()}
            lines.append(
                f"{kind}: {form!r} in {state}: said {result.said} {result.rules}, exit {result.status}, lost {lost}"
            )
    return lines


def test_the_answer_agrees_with_what_git_destroys(matrix):
    chosen = {*ALWAYS, *random.Random(SEED).sample(pairs(), SAMPLE)}
    assert told(matrix, list(chosen)) == []


@pytest.mark.full
def test_every_form_in_every_state(matrix):
    assert told(matrix, pairs()) == []


def test_the_oracle_sees_losses(matrix):
    """The measuring itself can fail: known losses are found, and harmless forms lose nothing."""
    assert set(matrix.result("git reset --hard", "modified").real) == {"worktree"}
    assert set(matrix.result("git reset --hard", "staged").real) == {"index"}
    assert matrix.result("git reset --hard", "untracked").real == {}
    assert set(matrix.result("git stash clear", "stash").real) == {"stash"}
    assert "remote" in matrix.result("git push --force origin main", "behind").real
