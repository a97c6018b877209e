"""What an answer may cost: 20,000 tracked files within the stated budget, everything counted, nothing heavy imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from guards.world import RealWorld
from guards.world.budget import STEPS, Budget
from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog
from policy.rules.compile import pack
from policy.world import Unanswered
from tests.heavy import HEAVY

ROOT = Path(__file__).resolve().parent.parent.parent.parent


@pytest.fixture(scope="module")
def judge():
    given = catalog.sources("/nonexistent", "/nonexistent")
    content, _ = pack(given, catalog.load(given), check=False)
    return Engine.of(Compiled(content))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """20,000 tracked files in 400 directories, some of them edited."""
    from tests.guards.world.conftest import Sandbox, git_programs

    sandbox = Sandbox(tmp_path_factory.mktemp("large"), git_programs()[0])
    repo = sandbox.init()
    for folder in range(400):
        at = repo / f"src/m{folder % 20}/p{folder}"
        at.mkdir(parents=True)
        for number in range(50):
            (at / f"f{number}.py").write_text(f"x = {folder * 50 + number}\n")
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "many", cwd=repo)
    sandbox.git("branch", "other", cwd=repo)
    (repo / "src/m0/p0/f7.py").write_text("edited, longer than before\n")
    (repo / "src/m1/p1/new.py").write_text("untracked\n")
    return sandbox, repo


def test_twenty_thousand_files_fit(large):
    sandbox, repo = large
    budget = Budget()
    world = RealWorld(sandbox.environment, str(sandbox.home), budget=budget)
    status = world.status(world.repository(str(repo), {}), untracked=True, ignored=True)
    assert status.modified == ("src/m0/p0/f7.py",)
    assert status.untracked == ("src/m1/p1/new.py",)
    assert STEPS - budget.left < 60_000


def test_work_is_counted_and_ends(large):
    sandbox, repo = large
    world = RealWorld(sandbox.environment, str(sandbox.home), budget=Budget(15_000))
    with pytest.raises(Unanswered):
        world.status(world.repository(str(repo), {}))


def test_a_huge_untracked_folder_is_a_lower_bound(sandbox, write):
    repo = sandbox.init()
    write(repo, {"a.txt": "a\n"})
    (repo / "many").mkdir()
    for number in range(5_200):
        (repo / "many" / f"{number}").touch()
    world = RealWorld(sandbox.environment, str(sandbox.home))
    status = world.status(world.repository(str(repo), {}), untracked=True)
    assert status.more
    assert len(status.untracked) > 5_000


def test_a_pipe_in_the_way_does_not_block(sandbox, write):
    import os

    repo = sandbox.init()
    write(repo, {"a.txt": "a\n", "b.txt": "b\n"})
    sandbox.git("add", "-A", cwd=repo)
    (repo / "a.txt").unlink()
    os.mkfifo(repo / "a.txt")
    os.mkfifo(repo / ".gitignore")
    world = RealWorld(sandbox.environment, str(sandbox.home))
    status = world.status(world.repository(str(repo), {}), untracked=True)
    assert status.modified == ("a.txt",)
    assert world.read_text(str(repo / "a.txt"), 100) is None


def test_nothing_heavy_is_imported(large):
    sandbox, repo = large
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from guards.world import RealWorld\n"
        f"w = RealWorld({{}}, {str(sandbox.home)!r}); p = w.repository({str(repo)!r}, {{}})\n"
        "w.status(p, untracked=True, ignored=True); w.resolve(p, 'HEAD~1'); w.against(p, 'HEAD'); w.refs(p, 'refs/')\n"
        f"print(sorted(set(sys.modules) & {set(HEAVY)!r}))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "text",
    [
        "git checkout other",
        "git switch -c new",
        "git merge other",
        "git pull",
        "git push",
        "git rebase other",
        "git log",
        "git mv a b",
    ],
)
def test_what_loses_nothing_by_itself_costs_nothing_in_a_large_tree(large, judge, text):
    sandbox, repo = large
    budget = Budget()
    world = RealWorld(sandbox.environment, str(sandbox.home), budget=budget)
    request = Request(text=text, cwd=str(repo), home=str(sandbox.home), environment=sandbox.environment, dialect="bash")
    assert judge.decide(request, world).action == "pass"
    assert STEPS - budget.left < 15_000
