"""Which repository a command works on: places, variables, worktrees, submodules, jj workspaces."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guards.world import RealWorld
from policy.world import Repository, Unanswered

JJ_BIN = os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")
JJ = shutil.which("jj") or (f"{JJ_BIN}/jj" if Path(JJ_BIN, "jj").exists() else None)


def place(sandbox, cwd: Path, **variables: str) -> Repository:
    return RealWorld(sandbox.environment, str(sandbox.home)).repository(str(cwd), variables)


@pytest.fixture
def repo(sandbox, write):
    at = sandbox.init()
    write(at, {"a.txt": "a\n", "dir/b.txt": "b\n"})
    sandbox.git("add", "-A", cwd=at)
    sandbox.git("commit", "-qm", "one", cwd=at)
    return at


def said(sandbox, cwd: Path, *args: str, **variables: str) -> str:
    environment = {**sandbox.environment, **variables}
    done = subprocess.run([sandbox.program, *args], cwd=cwd, env=environment, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("where", "variables"),
    [
        ("repo", {}),
        ("repo/dir", {}),
        ("link/dir", {}),
        ("repo/.git", {}),
        ("home", {"GIT_DIR": "repo/.git"}),
        ("home", {"GIT_DIR": "repo/.git", "GIT_WORK_TREE": "repo"}),
        ("repo/dir", {"GIT_WORK_TREE": ".."}),
        ("linked", {}),
        ("linked/dir", {}),
        ("repo/sub", {}),
        ("bare.git", {}),
        ("repo/nested", {}),
        ("moved", {}),
        ("repo/broken", {}),
    ],
)
def test_finds_what_git_finds(sandbox, repo, where, variables):
    os.symlink(repo, sandbox.home / "link")
    sandbox.git("worktree", "add", "-q", "-b", "other", "../linked", cwd=repo)
    sandbox.git("clone", "-q", "--bare", "repo", "bare.git", cwd=sandbox.home)
    (repo / "nested").mkdir()
    sandbox.git("init", "-q", cwd=repo / "nested")
    (repo / "broken").mkdir()
    (repo / "broken" / ".git").mkdir()
    sandbox.git("clone", "-q", "--separate-git-dir", "gitdir", "repo", "moved", cwd=sandbox.home)
    if where == "repo/sub":
        modules = repo / ".git" / "modules"
        modules.mkdir()
        sandbox.git("clone", "-q", "--separate-git-dir", str(modules / "sub"), str(repo), "sub", cwd=repo)
    cwd = sandbox.home if where == "home" else sandbox.home / where
    found = place(sandbox, cwd, **variables)
    git_dir = said(sandbox, cwd, "rev-parse", "--absolute-git-dir", **variables)
    assert found.kind == "git"
    assert found.git_dir == os.path.realpath(git_dir)
    top = said(sandbox, cwd, "rev-parse", "--show-toplevel", **variables)
    assert found.root == (os.path.realpath(top) if top else "")
    common = said(sandbox, cwd, "rev-parse", "--git-common-dir", **variables)
    assert found.common_dir == os.path.realpath(cwd / common)
    assert found.linked == (found.git_dir != found.common_dir)
    assert found.submodule == (where == "repo/sub")


def test_knows_the_other_worktrees(sandbox, repo):
    sandbox.git("worktree", "add", "-q", "-b", "other", "../linked", cwd=repo)
    assert place(sandbox, repo).worktrees == (str(sandbox.home / "linked"),)
    assert place(sandbox, sandbox.home / "linked").worktrees == (str(repo),)


def test_outside_there_is_none(sandbox, repo):
    assert place(sandbox, sandbox.home).kind == "none"
    assert place(sandbox, repo, GIT_DIR="nowhere").kind == "none"
    assert place(sandbox, repo / "dir", GIT_CEILING_DIRECTORIES=str(repo)).kind == "none"
    assert place(sandbox, repo / "missing").kind == "git"


def test_another_index_file_is_another_state(sandbox, repo):
    (repo / "a.txt").write_text("changed\n")
    sandbox.git("add", "a.txt", cwd=repo)
    world = RealWorld(sandbox.environment, str(sandbox.home))
    assert world.status(world.repository(str(repo), {})).staged == ("a.txt",)
    other = world.repository(str(repo), {"GIT_INDEX_FILE": "elsewhere"})
    assert other.index_file == str(repo / "elsewhere")
    assert world.status(other).staged == ()


def test_jj_without_a_jj_program(sandbox, repo):
    (repo / ".jj" / "repo").mkdir(parents=True)
    assert place(sandbox, repo / "dir").kind == "jj-colocated"
    (repo / "inner").mkdir()
    sandbox.git("init", "-q", cwd=repo / "inner")
    assert place(sandbox, repo / "inner").kind == "git"
    plain = sandbox.init("plain")
    assert place(sandbox, repo, GIT_DIR=str(plain / ".git"), GIT_WORK_TREE=str(plain)).kind == "git"
    assert place(sandbox, plain, GIT_DIR=str(repo / ".git"), GIT_WORK_TREE=str(repo)).kind == "jj-colocated"
    assert place(sandbox, repo, GIT_DIR=".git").kind == "jj-colocated"


def jj(sandbox, *args: str, cwd: Path) -> None:
    environment = {
        **sandbox.environment,
        "PATH": f"{Path(JJ or '').parent}:{sandbox.environment['PATH']}",
        "JJ_USER": "dev",
    }
    subprocess.run(
        [JJ or "jj", *args],
        cwd=cwd,
        env={**environment, "JJ_EMAIL": "dev@example.com"},
        check=True,
        capture_output=True,
    )


def test_jj_as_the_real_program_makes_it(sandbox):
    if JJ is None:
        pytest.skip("no jj is installed")
    for name, option in (("both", "--colocate"), ("pure", "--no-colocate")):
        (sandbox.home / name).mkdir()
        jj(sandbox, "git", "init", option, cwd=sandbox.home / name)
    assert place(sandbox, sandbox.home / "both").kind == "jj-colocated"
    pure = place(sandbox, sandbox.home / "pure")
    assert (pure.kind, pure.root) == ("jj", str(sandbox.home / "pure"))
    assert Path(pure.git_dir, "objects").is_dir()
    with pytest.raises(Unanswered):
        RealWorld(sandbox.environment, str(sandbox.home)).status(pure)
    jj(sandbox, "workspace", "add", "../second", cwd=sandbox.home / "pure")
    second = place(sandbox, sandbox.home / "second")
    assert (second.kind, second.git_dir) == ("jj", pure.git_dir)
