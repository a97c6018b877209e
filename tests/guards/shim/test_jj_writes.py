"""git writes in a jj repository that are not translated: refused, and nothing is changed."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.shims.places import tree

REFUSED = [
    "checkout main",
    "checkout -- a.txt",
    "switch main",
    "restore a.txt",
    "reset --hard",
    "reset HEAD~1",
    "stash",
    "stash pop",
    "rebase main",
    "merge main",
    "pull",
    "push",
    "fetch",
    "cherry-pick main",
    "revert HEAD",
    "branch topic",
    "branch -d main",
    "branch -m a b",
    "tag v2",
    "tag -d v1",
    "rm a.txt",
    "mv a.txt c.txt",
    "clean -fd",
    "apply x.patch",
    "am x.patch",
    "gc",
    "prune",
    "repack -ad",
    "update-ref refs/heads/x HEAD",
    "update-index --refresh",
    "symbolic-ref HEAD refs/heads/main",
    "read-tree HEAD",
    "write-tree",
    "commit-tree HEAD^{tree} -m x",
    "hash-object -w a.txt",
    "filter-branch",
    "replace HEAD HEAD~1",
    "notes add -m x",
    "remote add origin x",
    "config user.name x",
    "reflog expire --all",
    "bisect start",
    "submodule add x",
    "worktree move a b",
    "worktree lock a",
    "add -f out.log",
    "commit",
    "commit --amend",
    "commit --fixup HEAD",
    "commit -p -m x",
    "commit -m x --author=a",
    "commit -m x -- *.txt",
    "nosuch",
    "--git-dir=.git --work-tree=. checkout -- a.txt",
    "--git-dir=../repo/.git --work-tree=../repo -C sub reset --hard",
    "-c alias.x=reset x --hard",
]


@pytest.mark.parametrize("text", REFUSED)
def test_refused_and_nothing_is_changed(in_repo, text):
    before = tree(in_repo.root, leave=())
    found = in_repo("git", *text.split())
    assert found.returncode == 126, found.stderr
    assert found.stdout == b""
    message = found.stderr.decode()
    assert message.startswith("gatepost: ")
    assert message.rstrip().endswith("]")
    assert message.count("\n") == 1
    assert tree(in_repo.root, leave=()) == before


def test_clone_and_init_elsewhere_pass(in_repo, tmp_path):
    assert in_repo("git", "init", "-q", str(tmp_path / "other")).returncode == 0
    assert in_repo("git", "clone", "-q", str(tmp_path / "other"), str(tmp_path / "clone")).returncode == 0
    assert (tmp_path / "clone/.git").is_dir()


def test_the_log_names_the_rule(fresh, in_repo, bare):
    environment = {**bare, "PATH": f"{fresh.prefix}/shims:{bare['PATH']}"}
    subprocess.run(["git", "merge", "main"], cwd=in_repo.root, env=environment, capture_output=True)
    with open(fresh.state + "/log.jsonl") as file:
        line = json.loads(file.readline())
    assert (line["door"], line["action"]) == ("shim", "deny")
    assert line["rule"].startswith("jj/git-")
