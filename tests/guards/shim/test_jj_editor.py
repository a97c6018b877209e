"""jj commands that would wait for a person are refused before an editor opens; those that need nobody run."""

from __future__ import annotations

import pytest

WAIT = [
    "describe",
    "desc -r @-",
    "commit",
    "ci",
    "ci -i -m x",
    "commit -im x",
    "describe -m x --editor",
    "split a.txt",
    "split -m x",
    "split -i -m x a.txt",
    "squash -i",
    "squash --tool meld",
    "diffedit",
    "arrange",
    "resolve",
    "restore -i",
    "config edit --user",
    "sparse edit",
    "-R . describe",
    "--no-pager --color never describe",
    "d",
]
RUN = [
    "describe -m x",
    "describe --help",
    "help describe",
    "ci -m x a.txt",
    "split -m x a.txt",
    "split -m x -- a.txt",
    "squash -u",
    "log -n1",
    "diff --stat",
    "restore new.txt",
    "resolve --list",
    "config list ui",
    "new",
    "st",
    "bookmark list",
    "l",
]


@pytest.fixture
def tried(in_repo, bare, tmp_path):
    """Run jj with editors that leave a trace, and two aliases."""
    editor = tmp_path / "editor"
    editor.write_text(f"#!/bin/sh\ntouch {tmp_path}/opened\nexit 1\n")
    editor.chmod(0o755)
    with open(bare["JJ_CONFIG"], "w") as file:
        file.write(
            f'[ui]\neditor = "{editor}"\ndiff-editor = "{editor}"\nmerge-editor = "{editor}"\n[aliases]\nd = ["describe"]\nl = ["log", "-n1"]\n'
        )

    def run(text, **extra):
        done = in_repo("jj", *text.split(), **extra)
        assert not (tmp_path / "opened").exists(), text
        return done

    return run


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_what_waits_is_refused(tried):
    for text in WAIT:
        done = tried(text)
        assert done.returncode == 126, (text, done.stderr)
        assert done.stderr.decode().rstrip().endswith("]"), text
        assert b"[jj/" in done.stderr, text


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_what_needs_nobody_runs(tried):
    for text in RUN:
        done = tried(text)
        assert done.returncode != 126, (text, done.stderr)


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_a_squash_that_would_join_two_descriptions(tried):
    assert tried("squash").returncode == 0
    assert tried("describe -m something").returncode == 0
    assert tried("squash").returncode == 126
    assert tried("squash -m joined").returncode == 0


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_an_editor_that_needs_nobody(tried):
    assert tried("describe", JJ_EDITOR="true").returncode == 0
