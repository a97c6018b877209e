"""git commands that open an editor: the rules' answer against what the real git starts."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guards.world import RealWorld
from policy.model import Request
from tests.git_loss.matrix import engine

RULES = (
    "git/opens-editor",
    "git/amend-opens-editor",
    "git/tag-opens-editor",
    "git/rebase-opens-editor",
    "git/continue-opens-editor",
    "git/interactive",
)
FORMS = [
    "git commit", "git commit -a", "git commit -m x", "git commit -am x", "git commit --amend", "git commit --amend --no-edit", "git commit --amend -C HEAD",
    "git commit -F msg", "git commit --allow-empty -m ''", "git commit -c HEAD -a", "git commit -m x -e", "git commit --fixup HEAD", "git commit -am x --no-edit",
    "git commit --dry-run", "git commit -v -m x", "git commit -t msg -a", "git commit --squash HEAD -m x", "git tag -a v9", "git tag -a v9 -m x", "git tag v9",
    "git tag -a -F msg v9", "git tag -d v1", "git tag -l", "git tag -n", "git rebase -i HEAD~1", "git rebase HEAD~1", "git rebase --onto HEAD~1 HEAD",
    "git branch --edit-description", "git branch x", "git config --edit", "git config -e", "git config user.name x", "git notes add", "git notes add -m x",
    "git notes edit", "git notes show", "git add -e", "git add -u", "git revert --no-edit HEAD", "git merge --no-edit side", "git merge side -m x",
    "git cherry-pick side", "git replace --edit HEAD", "git stash", "git log -1", "git show", "git am --show-current-patch", "git commit --reuse-message HEAD -a",
    "GIT_EDITOR=true git commit -a", "EDITOR=vi GIT_EDITOR=: git tag -a v9", "GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~1",
]  # fmt: skip


@pytest.fixture(scope="module")
def judge():
    return engine()


@pytest.fixture
def repo(tmp_path):
    root = tmp_path / "repo"
    root.mkdir()
    git = shutil.which("git") or "git"
    recorder = tmp_path / "recorder"
    recorder.write_text(f"#!/bin/sh\necho opened >> {tmp_path}/opened\nexit 1\n")
    recorder.chmod(0o755)
    environment = {
        "HOME": str(tmp_path), "PATH": f"{Path(git).parent}:{os.environ['PATH']}", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "dev",
        "GIT_AUTHOR_EMAIL": "dev@example.com", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@example.com", "TERM": "dumb",
        "GIT_EDITOR": str(recorder),
    }  # fmt: skip

    def run(text: str) -> None:
        subprocess.run(
            ["bash", "-c", text], cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30
        )

    run(
        "git init -q -b main . && echo a > a && git add a && git commit -qm one && echo b > a && git commit -qam two && git tag v1"
    )
    run(
        "git checkout -qb side HEAD~1 && echo s > s && git add s && git commit -qm side && git checkout -q main && git notes add -m n HEAD"
    )
    (root / "msg").write_text("message\n")
    return root, run, tmp_path / "opened"


@pytest.mark.parametrize("form", FORMS)
def test_what_opens_an_editor_is_refused(repo, judge, form):
    root, run, mark = repo
    if "rebase" not in form and "merge" not in form and "pick" not in form and "revert" not in form:
        (root / "a").write_text("staged\n")
        run("git add a")
        (root / "a").write_text("edited\n")
    environment = {"PATH": "/usr/bin:/bin", "GIT_EDITOR": "vi", "TERM": "dumb"}
    request = Request(text=form, cwd=str(root), home=str(root.parent), environment=environment, dialect="bash")
    findings = judge.explain(request, RealWorld(environment, str(root.parent))).decision.findings
    refused = any(finding.rule in RULES and finding.action == "deny" for finding in findings)
    run(form)
    assert refused == mark.exists()
