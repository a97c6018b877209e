"""Judging runs nothing of what is judged: a canary in every place where git would start a program, and none of them runs."""

from __future__ import annotations

import os
import subprocess

import pytest

from guards.world import RealWorld
from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog
from policy.rules.compile import pack
from policy.rules.given import GivenWorld, own_buckets, request_of
from policy.rules.predicates import ANYWHERE, FACTS
from policy.rules.predicates import ask as ask_the_table

PROGRAMS = [
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy", "sequence.editor", "diff.external",
    "diff.canary.textconv", "diff.canary.command", "filter.canary.clean", "filter.canary.smudge", "filter.canary.process",
    "merge.canary.driver", "credential.helper", "gpg.program", "interactive.diffFilter", "uploadpack.packObjectsHook", "core.alternateRefsCommand",
    "pager.status", "pager.log", "remote.origin.uploadpack", "remote.origin.receivepack", "trailer.canary.command", "man.viewer",
]  # fmt: skip
VARIABLES = [
    "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "EDITOR", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "SSH_ASKPASS",
    "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR",
]  # fmt: skip
HOOKS = [
    "pre-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-push",
    "fsmonitor-watchman",
    "post-merge",
]
REQUESTS = [
    "git reset --hard", "git checkout .", "git clean -fdx", "git stash && git stash drop", "git status", "git diff", "git log -p", "git wipe",
    "git push --force", "git push --force-with-lease origin main", "git commit --amend --no-edit", "git rebase main", "git merge other",
    "git pull", "git fetch", "git branch -D other", "git worktree remove ../linked", "git submodule update --force", "git rm -rf .",
    "git blame a.txt", "git show HEAD:a.txt > a.txt", "git reflog expire --expire=now --all", "git gc --prune=now",
]  # fmt: skip


STARTED = (
    "git",
    "jj",
    "hg",
    "ssh",
    "rsync",
    "mutagen",
    "docker",
    "kubectl",
    "psql",
    "uv",
    "make",
    "just",
    "npm",
    "python3",
    "sh",
    "bash",
    "ps",
    "which",
)
"""Programs that some other guard starts to find something out; here each on PATH is a canary."""


class Trap:
    """A repository full of programs, and the file that each of them would leave."""

    def __init__(self, sandbox, write, tmp_path) -> None:
        self.sandbox = sandbox
        self.sprung = tmp_path / "sprung"
        program = tmp_path / "canary"
        program.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.sprung}\ncat 2>/dev/null\n')
        program.chmod(0o755)
        self.program = str(program)
        self.repo = sandbox.init()
        write(
            self.repo,
            {"a.txt": "a\n", "b.bin": "b\n", ".gitattributes": "*.txt filter=canary diff=canary merge=canary\n"},
        )
        sandbox.git("add", "-A", cwd=self.repo)
        sandbox.git("commit", "-qm", "one", cwd=self.repo)
        sandbox.git("branch", "other", cwd=self.repo)
        sandbox.git("remote", "add", "origin", "ssh://nowhere.invalid/x.git", cwd=self.repo)
        for key in PROGRAMS:
            sandbox.git("config", key, self.program, cwd=self.repo)
        sandbox.git("config", "alias.wipe", f"!{self.program}", cwd=self.repo)
        sandbox.git("config", "core.hooksPath", str(tmp_path / "hooks"), cwd=self.repo)
        (tmp_path / "hooks").mkdir()
        for name in HOOKS:
            os.symlink(program, tmp_path / "hooks" / name)
        write(self.repo, {"a.txt": "a edited\n", "c.txt": "untracked\n"})
        self.variables = dict.fromkeys(VARIABLES, self.program)
        self.programs = tmp_path / "programs"
        self.programs.mkdir()
        for name in STARTED:
            os.symlink(program, self.programs / name)
        self.sprung.unlink(missing_ok=True)

    def world(self) -> RealWorld:
        return RealWorld({**self.sandbox.environment, **self.variables}, str(self.sandbox.home))


@pytest.fixture
def trap(sandbox, write, tmp_path):
    return Trap(sandbox, write, tmp_path)


@pytest.fixture(scope="module")
def judge():
    given = catalog.sources("/nonexistent", "/nonexistent")
    content, _ = pack(given, catalog.load(given), check=False)
    return Engine.of(Compiled(content))


def test_the_canaries_are_alive(trap):
    """git itself springs them: the tests below can fail."""
    environment = {**trap.sandbox.environment, **trap.variables}
    subprocess.run([trap.sandbox.program, "status"], cwd=trap.repo, env=environment, capture_output=True)
    subprocess.run([trap.sandbox.program, "diff", "--ext-diff"], cwd=trap.repo, env=environment, capture_output=True)
    assert len(trap.sprung.read_text().splitlines()) >= 2


def test_no_question_springs_one(trap):
    before = {path: path.stat().st_mtime_ns for path in trap.repo.rglob("*")}
    world = trap.world()
    place = world.repository(str(trap.repo), {})
    status = world.status(place, untracked=True, ignored=True)
    assert status.modified == ("a.txt",)
    assert status.untracked == ("c.txt",)
    head = world.resolve(place, "HEAD") or ""
    world.against(place, "other")
    world.tracked(place, "HEAD")
    world.refs(place, "refs/")
    world.stashes(place)
    world.branch(place)
    world.unreachable_after(place, (head,), ())
    assert world.config(place, "core.pager") == trap.program
    assert not trap.sprung.exists()
    assert {path: path.stat().st_mtime_ns for path in trap.repo.rglob("*")} == before


def test_no_judgement_springs_one(trap, judge):
    for text in REQUESTS:
        request = Request(
            text=text,
            cwd=str(trap.repo),
            home=str(trap.sandbox.home),
            environment=trap.variables,
            dialect="bash",
            host="claude",
        )
        decision = judge.explain(request, trap.world()).decision
        assert not any(finding.rule == "gatepost/error" for finding in decision.findings), decision.findings
        assert not trap.sprung.exists(), text


def test_no_fact_springs_one(trap):
    """Every example of every rule, judged by its rule alone in the trap: each fact that rules can ask is asked there."""
    given = catalog.sources("/nonexistent", "/nonexistent", "/opt/bin")
    found = catalog.load(given)
    everything = Compiled(pack(given, found, check=False)[0])
    asked = set()

    def ask(name, invocation, world, question, reading):
        asked.add(name)
        return ask_the_table(name, invocation, world, question, reading)

    environment = {**trap.variables, "PATH": str(trap.programs), "HOME": str(trap.sandbox.home)}
    for rule in found.rules.values():
        for example in rule.rule.example:
            request = request_of(example, GivenWorld(example.given))
            request = request.replace(
                cwd=str(trap.repo), home=str(trap.sandbox.home), environment={**request.environment, **environment}
            )
            world = RealWorld({**trap.sandbox.environment, **environment}, str(trap.sandbox.home))
            judged = Engine.of(everything.only(own_buckets(rule, example, everything)), ask)
            failed = [f for f in judged.explain(request, world).decision.findings if f.rule == "gatepost/error"]
            assert not failed, (rule.id, example, failed)
            assert not trap.sprung.exists(), (rule.id, example)
    assert set(FACTS) - ANYWHERE <= asked  # what the text alone answers has no world to ask
