"""git that jj starts: for its own purpose it passes, for `util exec` it is judged."""

from __future__ import annotations

import subprocess

import pytest


@pytest.fixture
def remote(in_repo, tmp_path, bare):
    """A bare repository as the remote `origin`, known to jj."""
    path = tmp_path / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], check=True, env=bare)
    assert in_repo("jj", "git", "remote", "add", "origin", str(path)).returncode == 0
    return path


def test_jj_itself_may_use_git(in_repo, remote, bare):
    assert in_repo("jj", "git", "push", "--allow-new", "-b", "main").returncode in (0, 2)
    pushed = in_repo("jj", "git", "push", "-b", "main")
    listed = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname)"], cwd=remote, env=bare, capture_output=True
    ).stdout
    assert listed == b"refs/heads/main\n", pushed.stderr
    fetched = in_repo("jj", "git", "fetch")
    assert fetched.returncode == 0, fetched.stderr
    with open(bare["JJ_CONFIG"], "a") as file:
        file.write('aliases.get = ["git", "fetch"]\n')
    assert in_repo("jj", "get").returncode == 0


@pytest.mark.parametrize("words", [["util", "exec", "--"], ["x"]])
def test_jj_util_exec_is_no_way_round(in_repo, bare, words):
    with open(bare["JJ_CONFIG"], "a") as file:
        file.write('aliases.x = ["util", "exec", "--"]\n')
    before = in_repo("git", "log", "--format=%H", "--branches").stdout
    found = in_repo("jj", *words, "git", "stash")
    assert found.returncode != 0
    assert b"jj/git-" in found.stderr
    assert in_repo("git", "log", "--format=%H", "--branches").stdout == before
