"""What a refused git command offers in a jj repository is run as an agent would, and does what git would have done."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from guards import judging
from policy.engine import Engine
from policy.model import Request
from policy.rules.predicates.jj_revision import revision
from tests.guards.shim.conftest import needs_jj
from tests.shims.places import NEWER

ROWS = [
    ("git branch topic", "jj bookmark create topic -r @-", "git rev-parse topic", "HEAD"),
    ("git branch topic HEAD~1", "jj bookmark create topic -r @--", "git rev-parse topic", "HEAD~1"),
    ("git branch -d side", "jj bookmark delete side", "git branch --list side", ""),
    ("git branch -m side other", "jj bookmark rename side other", "git rev-parse other", "HEAD~1"),
    ("git branch -c side other", "jj bookmark create other -r side", "git rev-parse other", "HEAD~1"),
    ("git branch -f main HEAD~1", "jj bookmark set main -r @-- --allow-backwards", "git rev-parse main", "HEAD~1"),
    ("git branch -u origin/main main", "jj bookmark track main --remote=origin", None, None),
    ("git tag v2", "jj tag set v2 -r @-", "git rev-parse v2", "HEAD"),
    ("git tag -f v1 HEAD", "jj tag set v1 -r @- --allow-move", "git rev-parse v1", "HEAD"),
    ("git tag -d v1", "jj tag delete v1", "git tag", ""),
    ("git checkout side", "jj new side", "git rev-parse HEAD", "side"),
    ("git switch --detach HEAD~1", "jj new @--", "git rev-parse HEAD", "side"),
    ("git checkout -b topic", "jj bookmark create topic -r @", "git branch --list topic", "topic"),
    ("git switch -c topic side", "jj new side && jj bookmark create topic -r @", "git rev-parse HEAD", "side"),
    ("git switch --orphan empty", "jj new 'root()'", "ls f", "f: gone"),
    ("git checkout -- f", "jj restore f", "cat f", "1\n2\n"),
    ("git checkout HEAD~1 -- f", "jj restore --from @-- f", "cat f", "1\n"),
    ("git checkout f", "jj restore f", "cat f", "1\n2\n"),
    ("git restore .", "jj restore .", "cat f", "1\n2\n"),
    ("git restore -s HEAD~1 f", "jj restore --from @-- f", "cat f", "1\n"),
    ("git restore --staged f", "jj status", "cat f", "1\n2\n3\n"),
    ("git reset", "jj status", "cat f", "1\n2\n3\n"),
    ("git reset HEAD f", "jj status", "cat f", "1\n2\n3\n"),
    ("git reset --hard", "jj restore", "cat f", "1\n2\n"),
    ("git reset --hard HEAD~1", "jj new @--", "cat f", "1\n"),
    ("git reset --soft HEAD~1", "jj abandon --restore-descendants @--..@-", "cat f", "1\n2\n3\n"),
    ("git rm g", "rm g", "ls g", "g: gone"),
    ("git mv g h", "mv g h", "cat h", "g\n"),
    ("git clean -fd", "jj status", "cat n", "new\n"),
    ("git fetch", "jj git fetch", None, None),
    ("git fetch origin main", "jj git fetch --remote origin --branch main", None, None),
    ("git pull", "jj git fetch && jj rebase --onto 'trunk()'", None, None),
    ("git pull --rebase origin main", "jj git fetch --remote origin --branch main && jj rebase --onto main@origin", None, None),
    ("git push origin main", "jj git push --bookmark main --remote origin", "git rev-parse origin/main", "HEAD"),
    ("git push -u origin HEAD:topic", "jj git push --named topic=@- --remote origin", "git rev-parse origin/topic", "HEAD"),
    ("git push", "jj git push", None, None),
    ("git rebase side", "jj rebase --onto side", "git rev-parse HEAD~1", "side"),
    ("git merge side", "jj new @- side", "git rev-parse HEAD", "main"),
    ("git cherry-pick apart", "jj duplicate apart --insert-after @-", "cat p", "apart\n"),
    ("git revert HEAD", "jj revert -r @- --insert-after @-", None, None),
    ("git stash", "jj new @-", "cat f", "1\n2\n"),
    ("git stash pop", "jj log", None, None),
    ("git commit", "jj commit -m 'what and why'", "git status --short", ""),
    ("git commit --amend", "jj squash -m 'what and why'", "git rev-parse HEAD~1", "side"),
    ("git apply x.diff", "patch -p1 -i x.diff", "cat g", "patched\n"),
    ("git config user.name Other", "jj config set --repo user.name Other", None, None),
    ("git remote add up ../remote.git", "jj git remote add up ../remote.git", "git remote", "origin\nup\n"),
    ("git remote remove origin", "jj git remote remove origin", "git remote", ""),
    ("git update-ref refs/heads/main HEAD~1", "jj bookmark set main -r @-- --allow-backwards", "git rev-parse main", "side"),
    ("git sparse-checkout set f", "jj sparse set --clear --add f", "ls g", "g: gone"),
    ("git gc", "jj util gc", None, None),
    ("git reflog expire --all", "jj op log", None, None),
    ("git worktree lock x", "jj workspace list", None, None),
]  # fmt: skip
"""A git command, the first thing that is offered, and a question with its answer after that was run; `side` and `HEAD~1` are the first commit."""


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A colocated repository with two commits, bookmarks on both and on one apart, a remote that has them, and changes of its own."""
    if shutil.which("jj", path=NEWER) is None:
        pytest.skip("no jj on this machine")
    root = tmp_path_factory.mktemp("words")
    (root / "home").mkdir()
    who = {"HOME": f"{root}/home", "JJ_USER": "A", "JJ_EMAIL": "a@example.org", "JJ_CONFIG": "/dev/null"}
    script = """
    set -e
    git init -q --bare -b main remote.git; jj git init --colocate work; cd work; jj git remote add origin ../remote.git
    jj config set --repo user.name A; jj config set --repo user.email a@example.org
    echo apart >p; jj commit -m apart; jj bookmark create apart -r @-; jj new 'root()'
    printf 'g\\n' >g; echo 1 >f; jj commit -m first; echo 2 >>f; jj commit -m second
    jj bookmark create side -r @--; jj bookmark create main -r @--; jj tag set v1 -r @--; jj git push --bookmark main; jj bookmark set main -r @-
    printf -- '--- a/g\\n+++ b/g\\n@@ -1 +1 @@\\n-g\\n+patched\\n' >../x.diff
    echo 3 >>f; echo new >n; jj status
    """
    environment = {"PATH": NEWER, **who}
    subprocess.run(["sh", "-c", script], cwd=root, env=environment, check=True, capture_output=True)
    return root, environment


@needs_jj
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_is_offered_does_it(pristine, installed, tmp_path, row):
    command, offered, question, answer = row
    base, environment = pristine
    shutil.copytree(base, tmp_path / "place", symlinks=True)
    work = tmp_path / "place/work"
    if "x.diff" in command:
        shutil.copy(base / "x.diff", work)

    def run(text):
        return subprocess.run(["sh", "-c", text], cwd=work, env=environment, capture_output=True, text=True)

    request = Request(text=command, cwd=str(work), environment={}, home=environment["HOME"])
    decision = Engine.load(installed.compiled).decide(request, judging.world(request, installed))
    assert (decision.action, decision.instead[:1]) == ("deny", (offered,))
    commit = run(f"git rev-parse {answer}").stdout if question and "rev-parse" in question else None
    done = run(offered)
    assert done.returncode == 0, done.stderr
    if question and question.startswith("ls "):
        assert not (work / question[3:]).exists()
    elif question:
        assert run(question).stdout.strip() == (commit or answer).strip()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sparse-checkout", "set", "sub"), "jj sparse set --clear --add sub"),
        (("checkout", "a.txt"), "jj restore a.txt"),
        (("commit",), "jj commit -m 'what and why'"),
        (("commit", "--no-verify", "-m", "x"), "jj commit -m x"),
        (("rebase", "-i", "main"), "jj rebase -r REVISION --insert-after REVISION"),
        (("gc",), "jj util gc"),
    ],
)
def test_the_shim_offers_the_same(in_repo, words, offered):
    """Also where a rule speaks first that knows no way out here."""
    refused = in_repo("git", *words)
    told = refused.stderr.decode().partition("Run instead: ")[2].split("`")[1::2]
    assert (refused.returncode, refused.stdout) == (126, b"")
    assert told[:1] == [offered], refused.stderr


def test_the_git_that_jj_starts_to_pack_runs(in_repo):
    assert in_repo("jj", "util", "gc").returncode == 0


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("HEAD", "@-"), ("@", "@-"), ("HEAD~2", "@---"), ("HEAD^^", "@---"), ("HEAD^2", None), ("main", "main"), ("main~1", "main-"),
        ("origin/main", "main@origin"), ("feat/x", "feat/x"), ("a..b", "a..b"), ("HEAD~2..", "@---..@-"), ("a...b", None), ("ORIG_HEAD", None),
        ("stash@{0}", None), ("@{u}", None), (":/text", None), ("-", None), ("", None), ("HEAD~x", None), ("a b", None), ("v1^{}", None),
    ],
)  # fmt: skip
def test_revisions(name, meant):
    assert revision(name) == meant
