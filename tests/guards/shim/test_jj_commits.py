"""git writes that are carried out by jj: each does what the jj command does, and no editor opens."""

from __future__ import annotations

import shutil

import pytest

from tests.shims.places import tree


def state(in_repo, root=None):
    """What jj says of the commits and the working copy, by content."""
    template = '"{" ++ json(description) ++ "}" ++ diff.summary()'
    log = in_repo("jj", "--no-pager", "log", "-r", "all()", "--no-graph", "-T", template, cwd=root, shims=False)
    assert log.returncode == 0, log.stderr
    return log.stdout


TRANSLATIONS = [
    (["commit", "-m", "third"], ["commit", "-m", "third"]),
    (["commit", "-am", "third"], ["commit", "-m", "third"]),
    (["commit", "-qam", "third"], ["commit", "-m", "third"]),
    (["commit", "-m", "--amend"], ["commit", "--message=--amend"]),
    (["commit", "-m", "title", "-m", "body"], ["commit", "-m", "title\n\nbody"]),
    (["commit", "--message=third", "--no-status"], ["commit", "-m", "third"]),
    (["commit", "--mess", "third"], ["commit", "-m", "third"]),
    (["commit", "-m", "third", "--", "a.txt"], ["commit", "-m", "third", "a.txt"]),
    (["commit", "-m", "third", "sub", "new.txt"], ["commit", "-m", "third", "sub", "new.txt"]),
    (["commit", "-F", "MESSAGE"], ["commit", "-m", "from a file\n"]),
    (["commit", "--amend", "-m", "other"], ["squash", "-m", "other"]),
    (["commit", "--amend", "--no-edit"], ["squash", "-u"]),
    (["commit", "-a", "--amend", "--no-edit"], ["squash", "-u"]),
    (["commit", "--amend", "-m", "other", "--", "a.txt"], ["squash", "-m", "other", "a.txt"]),
    (["commit", "-C", "HEAD~1"], ["commit", "-m", "first"]),
    (["-C", "sub", "commit", "-m", "third", "--", "../a.txt"], ["commit", "-m", "third", "a.txt"]),
    (["-c", "alias.ci=commit -m", "ci", "third"], ["commit", "-m", "third"]),
    (["worktree", "add", "../second"], ["workspace", "add", "../second"]),
    (["worktree", "add", "../second", "HEAD~1"], ["workspace", "add", "../second", "-r", "@--"]),
    (["worktree", "add", "-b", "topic", "../second", "main"], ["workspace", "add", "../second", "-r", "main"]),
]


@pytest.mark.parametrize(("words", "wanted"), TRANSLATIONS)
def test_a_translated_write_equals_the_jj_command(in_repo, tmp_path, words, wanted):
    (tmp_path / "twin").mkdir()
    twin = tmp_path / "twin/repo"
    if "MESSAGE" in words:
        (in_repo.root / "out.log").write_text("from a file\n")
        words = ["out.log" if word == "MESSAGE" else word for word in words]
    shutil.copytree(in_repo.root, twin, symlinks=True)
    found = in_repo("git", *words)
    assert found.returncode == 0, found.stderr
    assert in_repo("jj", *wanted, cwd=twin, shims=False).returncode == 0
    assert state(in_repo) == state(in_repo, twin)
    assert (
        tree(in_repo.root.parent / "second", leave=("repo", ".git")).keys()
        == tree(tmp_path / "twin/second", leave=("repo", ".git")).keys()
    )


def test_a_message_from_stdin(in_repo):
    assert in_repo("git", "commit", "-F", "-", stdin="größer\n\nmehr\n".encode()).returncode == 0
    assert in_repo("git", "log", "-1", "--format=%B").stdout.decode() == "größer\n\nmehr\n\n"


def test_nothing_to_commit(in_repo):
    assert in_repo("git", "commit", "-qam", "all").returncode == 0
    again = in_repo("git", "commit", "-m", "again")
    assert (again.returncode, again.stdout) == (1, b"")
    assert in_repo("git", "log", "-1", "--format=%s").stdout == b"all\n"
    assert in_repo("git", "commit", "--allow-empty", "-m", "empty").returncode == 0
    assert in_repo("git", "log", "-1", "--format=%s").stdout == b"empty\n"


def test_add_is_nothing_and_says_so(in_repo):
    before = tree(in_repo.root, leave=())
    found = in_repo("git", "add", "-A")
    assert (found.returncode, found.stdout) == (0, b"")
    assert b"nothing" in found.stderr
    assert tree(in_repo.root, leave=()) == before


def test_an_editor_never_opens(in_repo, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\ntouch {tmp_path}/opened\n")
    editor.chmod(0o755)
    for words in (
        ["commit"],
        ["commit", "--amend"],
        ["commit", "-e", "-m", "x"],
        ["commit", "-c", "HEAD"],
        ["commit", "-v"],
    ):
        found = in_repo("git", *words, JJ_EDITOR=str(editor), GIT_EDITOR=str(editor), EDITOR=str(editor))
        assert found.returncode == 126
    assert not (tmp_path / "opened").exists()
