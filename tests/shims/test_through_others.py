"""Shims reached through make, npm, sh, env and git's own hooks: the same answer as at the hook, and ordinary work untouched."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from guards import grants
from policy.wording import folder
from tests.asked import asked
from tests.shims.places import tree

RULE = "git/reset-hard"


def shimmed(place):
    return {**place.environment, "PATH": f"{place.shims}:{place.environment['PATH']}"}


def run(place, argv, **more):
    return subprocess.run(argv, cwd=place.pristine, env=shimmed(place), capture_output=True, timeout=120, **more)


def test_a_makefile_is_refused_with_the_hooks_rule(place, installed):
    (place.pristine / "Makefile").write_text("clean:\n\tgit reset --hard\n")
    said = asked(installed.bin, "git reset --hard", place.pristine, place.environment)
    assert f"[{RULE}]" in said["permissionDecisionReason"]
    before = tree(place.pristine)
    done = run(place, ["make", "clean"])
    assert done.returncode == 2
    assert f"[{RULE}]" in done.stderr.decode()
    assert tree(place.pristine) == before


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", "git reset --hard"],
        ["env", "git", "reset", "--hard"],
        ["bash", "-c", "cd src && git reset --ha"],
        ["sh", "-c", "command git -C src reset --hard HEAD"],
        ["xargs", "-a", "/dev/null", "git", "reset", "--hard"],
        ["timeout", "20", "git", "reset", "--hard"],
        ["python3", "-c", "import subprocess; raise SystemExit(subprocess.call(['git', 'reset', '--hard']))"],
    ],
)
def test_every_way_leads_through(place, argv):
    done = run(place, argv)
    assert done.returncode != 0
    assert done.stderr.decode().rstrip().endswith(f"[{RULE}]")
    assert (place.pristine / "src/a.py").read_text() == "one = 11\n"


@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm on this machine")
def test_npm_run(place):
    (place.pristine / "package.json").write_text(
        '{"scripts": {"bad": "git reset --hard", "good": "git rev-parse --show-toplevel"}}'
    )
    done = run(place, ["npm", "run", "bad"])
    assert done.returncode != 0
    assert RULE in done.stderr.decode() + done.stdout.decode()
    done = run(place, ["npm", "run", "--silent", "good"])
    assert (done.returncode, done.stdout.decode().strip()) == (0, str(place.pristine))


def test_git_hooks_that_run_git(place):
    hook = place.pristine / ".git/hooks/pre-commit"
    said = "git rev-parse --git-dir >.git/said && git diff --cached --name-only >>.git/said"
    hook.write_text(f"#!/bin/sh\n{said} && command -v git >.git/which\n")
    hook.chmod(0o755)
    assert run(place, ["git", "commit", "-q", "-a", "-m", "x"]).returncode == 0
    assert (place.pristine / ".git/said").read_text() == ".git\nsrc/a.py\n"
    assert not (place.pristine / ".git/which").read_text().startswith(place.shims)  # R10: git's own folder comes first


def test_a_whole_workflow_is_the_same(place, tmp_path, bare_remote):
    script = f"""
    set -e
    git init -q -b main w; cd w
    echo 1 >f; git add f; git commit -q -m one
    git remote add origin {bare_remote}; git push -q -u origin main 2>/dev/null
    git switch -q -c topic; echo 2 >>f; git commit -q -am two; git switch -q main; git merge -q --no-edit topic
    git tag v1; git branch -d topic; git stash list; git worktree add -q ../wt; git worktree list; git worktree remove ../wt
    git rebase -q main; git cherry-pick --allow-empty HEAD 2>&1 || git cherry-pick --abort
    git fetch -q; git pull -q; git push -q; git log --oneline; git status
    """
    place.environment.update(GIT_TERMINAL_PROMPT="0")
    bare = place.run(["sh", "-c", script], shimmed=False)
    subprocess.run(
        ["git", "push", "-q", str(bare_remote), ":main"], cwd=place.folder / "w", env=place.environment, check=False
    )
    shutil.rmtree(bare_remote)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", bare_remote], env=place.environment, check=True)
    assert place.run(["sh", "-c", script], shimmed=True) == bare
    assert bare[0] == 0, bare


@pytest.fixture
def bare_remote(tmp_path, git_env):
    path = tmp_path / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], env=git_env, check=True)
    return path


def test_a_grant_passes_once(place, installed):
    argv = ["git", "reset", "--hard"]
    assert run(place, argv).returncode == 126
    assert grants.leave(installed, RULE, argv, str(place.pristine), "some session")
    assert run(place, ["git", "reset", "--hard", "HEAD"]).returncode == 126
    assert (
        run(
            place,
            argv,
        ).returncode
        == 0
    )
    (place.pristine / "src/a.py").write_text("one = 12\n")
    assert run(place, argv).returncode == 126


def test_a_grant_holds_in_its_directory_and_session(place, installed, monkeypatch):
    argv = ["git", "reset", "--hard"]
    monkeypatch.setattr(grants.kin, "agent", lambda: "1:1")
    grants.leave(installed, RULE, argv, str(place.pristine / "src"), "mine")
    grants.leave(installed, RULE, argv, str(place.pristine), "mine")
    assert run(place, argv).returncode == 126
    place.environment["GATEPOST_SESSION"] = "theirs"
    assert run(place, argv).returncode == 126
    place.environment["GATEPOST_SESSION"] = "mine"
    assert run(place, argv).returncode == 0


def test_nothing_in_the_environment_turns_it_off(place):
    for name in (
        "GATEPOST_DISABLE",
        "GATEPOST_OFF",
        "GATEPOST",
        "NO_GATEPOST",
        "GATEPOST_DEPTH",
        "PYTHONPATH",
        "PYTHONHOME",
        "BASH_ENV",
        "ENV",
    ):
        for value in ("1", "0", "off", "/nonexistent"):
            place.environment[name] = value
        assert run(place, ["git", "reset", "--hard"]).returncode == 126, name
        del place.environment[name]


def test_one_message_on_stderr_and_nothing_else(place):
    done = run(place, ["git", "reset", "--hard"])
    assert done.returncode == 126
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.endswith(f"[{RULE}]\n".encode())
    assert f" in {folder(str(place.pristine))}: ".encode() in done.stderr
