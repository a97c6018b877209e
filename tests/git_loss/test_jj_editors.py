"""jj commands that open an editor, a diff editor or a merge tool: the rules' answer against what the real jj starts."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guards.world import RealWorld
from policy.model import Request
from tests.git_loss.matrix import engine

JJ_BIN = os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")
JJ = shutil.which("jj") or (f"{JJ_BIN}/jj" if Path(JJ_BIN, "jj").exists() else None)
RULES = ("jj/opens-editor", "jj/squash-opens-editor", "jj/diff-editor", "jj/merge-editor", "jj/settings-editor")
FORMS = [
    "jj describe", "jj desc", "jj describe -m x", "jj describe --editor -m x", "echo x | jj describe --stdin", "jj commit", "jj ci", "jj commit -m x",
    "jj commit -m x a.txt", "jj commit -i -m x", "jj commit -imessage", "jj squash -i", "jj squash -u", "jj squash -m x", "jj squash --from @ --into @-",
    "jj squash -u -f @ -t @-", "jj split", "jj split a.txt", "jj split -m x", "jj split -m x a.txt", "jj diffedit", "jj restore -i", "jj restore",
    "jj restore a.txt", "jj config edit --repo", "jj sparse edit", "jj new", "jj new -m x", "jj abandon", "jj edit @-", "jj undo", "jj op log",
    "jj rebase -r @ --onto @-", "jj duplicate", "jj absorb", "jj metaedit -m x", "jj bookmark list", "jj log", "jj status", "jj show", "jj diff",
    "jj file list", "jj evolog", "jj next --edit", "jj parallelize @", "jj workspace list", "jj util gc", "jj squash --tool recorder",
]  # fmt: skip


@pytest.fixture(scope="module")
def judge():
    return engine()


class Workspace:
    """A jj repository with two described commits, changes on top, and editors that only leave a mark."""

    def __init__(self, root: Path) -> None:
        self.repo = root / "repo"
        self.mark = root / "opened"
        self.repo.mkdir()
        recorder = root / "recorder"
        recorder.write_text(f"#!/bin/sh\necho opened >> {self.mark}\nexit 1\n")
        recorder.chmod(0o755)
        config = root / "config.toml"
        config.write_text(
            f'[user]\nname = "dev"\nemail = "dev@example.com"\n[ui]\neditor = "{recorder}"\ndiff-editor = "recorder"\nmerge-editor = "recorder"\n'
            f'[merge-tools.recorder]\nprogram = "{recorder}"\nedit-args = ["$left", "$right"]\nmerge-args = ["$output"]\n'
        )
        self.env = {
            "HOME": str(root),
            "PATH": f"{JJ_BIN}:{os.environ['PATH']}",
            "JJ_CONFIG": str(config),
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        }
        self.run("jj git init --no-colocate .")
        self.write("a.txt", "one\n")
        self.run("jj commit -m first")
        self.write("a.txt", "two\n")
        self.run("jj commit -m second")
        self.write("a.txt", "three\n")
        self.write("b.txt", "new\n")
        self.run("jj describe -m third")
        self.mark.unlink(missing_ok=True)

    def write(self, name: str, text: str) -> None:
        (self.repo / name).write_text(text)

    def run(self, text: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["bash", "-c", text], cwd=self.repo, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, timeout=30
        )

    def opens(self, text: str) -> bool:
        self.run(text)
        return self.mark.exists()


@pytest.mark.skipif(JJ is None, reason="no jj is installed")
@pytest.mark.parametrize("form", FORMS)
def test_what_opens_an_editor_is_refused(tmp_path, judge, form):
    workspace = Workspace(tmp_path)
    request = Request(
        text=form, cwd=str(workspace.repo), home=str(tmp_path), environment={"PATH": "/usr/bin"}, dialect="bash"
    )
    findings = judge.explain(request, RealWorld({}, str(tmp_path))).decision.findings
    refused = any(finding.rule in RULES and finding.action == "deny" for finding in findings)
    assert refused == workspace.opens(form)
