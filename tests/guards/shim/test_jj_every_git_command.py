"""Every command that either git knows, in a jj repository: a read, a translated write, or refused; and none of them changes the repository."""

from __future__ import annotations

import subprocess

import pytest

from policy.rules.predicates import jj_git
from tests.guards.shim.conftest import needs_jj
from tests.layouts import layout_at
from tests.shims.places import NEWER, SYSTEM, install, tree

TRANSLATED = {"add", "stage", "commit", "worktree"}
"""Without the right words these are refused, too; `add` says that there is nothing to do."""

WORDS = ([], ["HEAD"], ["HEAD~1", "HEAD"], ["-f", "topic"], ["--lost-found"], ["main", "main"])
APART = {
    "difftool",
    "gitk",
    "help",
    "web--browse",
    "send-email",
    "credential",
    "request-pull",
    "format-patch",
    "init",
    "clone",
}
"""Reads that open a window or a pager, ask or reach out; and what makes new files or repositories in the folder that it is called in."""

GITS = {"system": SYSTEM, "newer": NEWER}


@pytest.fixture(scope="session", params=GITS)
def front(request, tmp_path_factory):
    """The PATH with shims for one of the gits first, and the real git's commands."""
    path = GITS[request.param]
    layout = layout_at(tmp_path_factory.mktemp("every"))
    install(layout, path=path if request.param == "newer" else f"{path}:{NEWER}")
    listed = subprocess.run(
        ["git", "--list-cmds=main,others"], env={"PATH": path}, capture_output=True, text=True, check=True
    )
    return f"{layout.prefix}/shims:{path if request.param == 'newer' else f'{path}:{NEWER}'}", sorted(
        set(listed.stdout.split())
    )


@needs_jj
@pytest.mark.parametrize("jj_repo", ["colocated"], indirect=True)
def test_every_command_is_decided(front, in_repo):
    """What the table does not know is refused whatever its words are."""
    path, commands = front
    before = tree(in_repo.root, leave=())
    reads = {name.partition(" ")[0] for name in (*jj_git.READS, *jj_git.SOMETIMES)}
    assert len(commands) > 120
    for command in commands:
        if command in reads or command in TRANSLATED:
            continue
        done = in_repo("git", command, "HEAD", PATH=path)
        assert done.returncode == 126, (command, done.stderr)
        assert b"[jj/git-" in done.stderr or b"[git/" in done.stderr, (command, done.stderr)
        assert done.stdout == b"", command
    assert tree(in_repo.root, leave=()) == before


@needs_jj
@pytest.mark.full
def test_no_command_changes_anything(front, in_repo):
    path, commands = front
    before = tree(in_repo.root, leave=())
    for command in commands:
        for words in WORDS if command not in APART else ():
            done = in_repo("git", command, *words, PATH=path)
            assert tree(in_repo.root, leave=()) == before, (command, words, done.stderr)


@pytest.mark.parametrize(
    "words",
    [
        ["refs", "list"],
        ["refs", "exists", "refs/heads/main"],
        ["repo", "info", "layout.bare"],
        ["last-modified"],
        ["merge-tree", "--write-tree", "HEAD", "HEAD~1"],
        ["fsck"],
        ["lfs", "ls-files"],
        ["diff", "--stat"],
    ],
)
def test_reads_that_would_write_on_the_way(in_repo, words):
    before = tree(in_repo.root, leave=())
    done = in_repo("git", *words)
    assert done.returncode != 126, done.stderr
    assert tree(in_repo.root, leave=()) == before


@pytest.mark.parametrize(
    "words",
    [
        ["fsck", "--lost-found"],
        ["refs", "migrate"],
        ["lfs", "pull"],
        ["gui"],
        ["citool"],
        ["instaweb"],
        ["init"],
        ["init", "."],
        ["clone", "x", "."],
    ],
)
def test_what_looks_like_a_read_and_writes(in_repo, words):
    assert in_repo("git", *words).returncode == 126
