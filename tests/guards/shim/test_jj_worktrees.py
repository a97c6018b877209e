"""`git worktree` in a jj repository: workspaces, and nothing that is not safe to lose goes."""

from __future__ import annotations

import shutil

import pytest


@pytest.fixture
def second(in_repo):
    """A second workspace beside the repository."""
    assert in_repo("git", "worktree", "add", "../second").returncode == 0
    return in_repo.root.parent / "second"


def names(in_repo):
    return (
        in_repo("jj", "--ignore-working-copy", "workspace", "list", "-T", 'name ++ "\n"', shims=False)
        .stdout.decode()
        .split()
    )


def test_worktree_list_speaks_git(in_repo, second):
    head = in_repo("git", "rev-parse", "HEAD").stdout.decode().strip()
    found = in_repo("git", "worktree", "list", "--porcelain").stdout.decode()
    assert found == "".join(f"worktree {root}\nHEAD {head}\ndetached\n\n" for root in (in_repo.root, second))
    assert in_repo("git", "worktree", "list").stdout.decode().splitlines()[1].startswith(str(second))


def test_worktree_remove(in_repo, second):
    assert in_repo("git", "worktree", "remove", "../second/.").returncode == 0
    assert names(in_repo) == ["default"]
    assert not second.exists()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("what", ["modified", "untracked", "ignored"])
def test_worktree_remove_keeps_what_would_be_lost(in_repo, second, what, force):
    path, text = {"modified": ("a.txt", "x\n"), "untracked": ("fresh.txt", "x\n"), "ignored": ("x.log", "x\n")}[what]
    (second / path).write_text(text)
    found = in_repo("git", "worktree", "remove", *(["-f"] if force else []), "../second")
    assert found.returncode == (0 if force else 126), found.stderr
    assert second.exists() is not force
    assert ("second" in names(in_repo)) is not force


@pytest.mark.parametrize("force", [[], ["-f"]])
def test_worktree_remove_keeps_what_jj_cannot_take_in(in_repo, second, force):
    """A forced removal can be looked up in the operation log; where it could not, nothing is removed."""
    assert in_repo("jj", "squash", "--into", "second@", "a.txt", shims=False).returncode == 0
    (second / "a.txt").write_text("only here\n")
    found = in_repo("git", "worktree", "remove", *force, "../second")
    assert found.returncode == 126, found.stderr
    assert b"update-stale" in found.stderr
    assert (second / "a.txt").read_text() == "only here\n"
    assert sorted(names(in_repo)) == ["default", "second"]


@pytest.mark.parametrize(
    "words",
    [
        ["remove", "."],
        ["remove", "-f", "."],
        ["remove", "../nosuch"],
        ["remove", "../link"],
        ["remove", "../link/"],
        ["remove", "../plain"],
        ["remove", "a.txt"],
        ["remove", "/"],
        ["remove", "../second/sub"],
        ["remove", "--what", "../second"],
        ["remove"],
        ["remove", "../second", "../plain"],
    ],
)
def test_worktree_remove_takes_only_a_registered_root(in_repo, second, words):
    (in_repo.root.parent / "plain").mkdir()
    (in_repo.root.parent / "link").symlink_to(second)
    found = in_repo("git", "worktree", *words)
    assert found.returncode == 126, found.stderr
    assert second.exists()
    assert sorted(names(in_repo)) == ["default", "second"]


def test_worktree_remove_not_where_we_are(in_repo, second):
    for place in (second, second / "sub"):
        assert in_repo("git", "worktree", "remove", "-f", str(second), cwd=place).returncode == 126
    assert second.exists()


def test_worktree_prune(in_repo, second):
    shutil.rmtree(second)
    assert in_repo("git", "worktree", "prune", "-n").returncode == 0
    assert sorted(names(in_repo)) == ["default", "second"]
    assert in_repo("git", "worktree", "prune").returncode == 0
    assert names(in_repo) == ["default"]


def test_reads_in_the_second_workspace(in_repo, second):
    (second / "a.txt").write_text("other\n")
    assert in_repo("git", "status", "--porcelain", cwd=second).stdout == b" M a.txt\n"
    assert in_repo("git", "rev-parse", "--show-toplevel", cwd=second).stdout.decode().strip() == str(second)
