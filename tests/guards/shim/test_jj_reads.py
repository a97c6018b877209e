"""git reads in a jj repository: as true as a plain git clone of the same commits, and without a trace in the repository."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.shims.places import tree

READS = [
    "status --porcelain",
    "status --short --branch",
    "log --format=%H%x00%an%x00%s%x00%D",
    "log --oneline -1 -- a.txt",
    "log --branches --tags --format=%H",
    "diff",
    "diff --stat",
    "diff HEAD~1 HEAD",
    "diff --exit-code",
    "diff --name-only",
    "show --stat HEAD",
    "show HEAD:a.txt",
    "blame -s a.txt",
    "rev-parse HEAD",
    "rev-parse --show-toplevel",
    "rev-parse --show-prefix",
    "rev-parse --is-inside-work-tree",
    "rev-parse --abbrev-ref HEAD",
    "rev-parse main v1",
    "rev-parse nosuch",
    "ls-files",
    "ls-files -m",
    "ls-files --others --exclude-standard",
    "ls-tree -r HEAD",
    "branch --list",
    "branch --format=%(refname)",
    "branch --contains HEAD~1",
    "tag",
    "tag -l v*",
    "for-each-ref --format=%(refname)%(objectname) refs/heads refs/tags",
    "cat-file -p HEAD^{tree}",
    "rev-list --count HEAD",
    "merge-base HEAD HEAD~1",
    "describe --tags",
    "describe --tags --dirty",
    "grep -n two",
    "check-ignore -v out.log",
    "shortlog -sn HEAD",
    "name-rev --tags HEAD~1",
    "diff-index --name-only HEAD",
    "show-ref --heads --tags",
    "remote -v",
    "stash list",
    "config --get core.bare",
    "reflog",
]
NOT_THE_SAME = {"reflog"}
"""jj keeps no git reflog: the answer is empty in a pure repository and jj's own entries in a colocated one."""


@pytest.fixture
def truth(in_repo, bare, tmp_path):
    """A plain git working tree with the same commits, refs and changes, detached at @- as jj leaves it."""
    root = tmp_path / "truth"
    store = in_repo("jj", "--ignore-working-copy", "git", "root", shims=False).stdout.decode().strip()

    def git(*words):
        return subprocess.run(["git", *words], cwd=root, env=bare, check=True, capture_output=True).stdout.decode()

    root.mkdir()
    git("init", "-q", "-b", "nothing")
    git("fetch", "-q", store, "+refs/jj/keep/*:refs/keep/*")
    for kind, words in (("heads", ("bookmark", "list")), ("tags", ("tag", "list"))):
        template = 'name ++ " " ++ normal_target.commit_id() ++ "\n"'
        listed = in_repo("jj", "--ignore-working-copy", *words, "-T", template, shims=False).stdout.decode()
        for name, commit in (line.split() for line in listed.splitlines()):
            git("update-ref", f"refs/{kind}/{name}", commit)
    head = in_repo("jj", "--ignore-working-copy", "log", "-r", "@-", "--no-graph", "-T", "commit_id", shims=False)
    git("checkout", "-q", "--detach", head.stdout.decode())
    for name in git("for-each-ref", "--format=%(refname)", "refs/keep").splitlines():
        git("update-ref", "-d", name)
    for name in ("a.txt", "new.txt", "out.log"):
        (root / name).write_bytes((in_repo.root / name).read_bytes())
    return root


@pytest.mark.parametrize("text", READS)
def test_every_read_is_true_and_leaves_no_trace(in_repo, truth, bare, text):
    before = tree(in_repo.root, leave=())
    found = in_repo("git", *text.split())
    assert tree(in_repo.root, leave=()) == before
    wanted = subprocess.run(["git", *text.split()], cwd=truth, env=bare, capture_output=True)
    assert found.returncode == wanted.returncode
    if text not in NOT_THE_SAME:
        assert plain(found.stdout, in_repo.root) == plain(wanted.stdout, truth)


def plain(text, root):
    """Without the path, and without where HEAD was detached, which git looks up in its reflog."""
    return re.sub(rb"HEAD detached at [0-9a-f]+", b"no branch", text.replace(str(root).encode(), b"ROOT"))


@pytest.mark.parametrize(
    "words", [("-C", "sub", "status", "--porcelain"), ("-C", "sub", "-C", "..", "log", "-1", "--format=%s")]
)
def test_reads_from_elsewhere(in_repo, words):
    found = in_repo("git", *words)
    assert found.returncode == 0
    assert b"a.txt" in found.stdout or found.stdout == b"second\n"


def test_a_subdirectory_and_a_link_into_it(in_repo, tmp_path):
    (tmp_path / "link").symlink_to(in_repo.root / "sub")
    for place in (in_repo.root / "sub", tmp_path / "link"):
        assert in_repo("git", "rev-parse", "--show-prefix", cwd=place).stdout == b"sub/\n"
        assert b" M ../a.txt" in in_repo("git", "status", "--short", cwd=place).stdout


def test_a_later_commit_is_seen_at_once(in_repo):
    assert in_repo("git", "log", "-1", "--format=%s").stdout == b"second\n"
    in_repo("jj", "commit", "-m", "third")
    assert in_repo("git", "log", "-1", "--format=%s").stdout == b"third\n"
    assert in_repo("git", "status", "--porcelain").stdout == b""


def test_a_fresh_repository_has_no_commit(in_repo, tmp_path, bare):
    root, empty = tmp_path / "fresh", tmp_path / "empty"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", empty], env=bare, check=True)
    in_repo("jj", "git", "init", "--colocate" if in_repo.colocated else "--no-colocate", ".", cwd=root, shims=False)
    (root / "x").write_text("x\n")
    assert in_repo("git", "status", "--porcelain", cwd=root).stdout == b"?? x\n"
    assert in_repo("git", "rev-parse", "HEAD", cwd=root).returncode == 128
    assert in_repo("git", "ls-files", cwd=root).stdout == b""
    for words in (
        ["diff"],
        ["diff", "--stat"],
        ["diff-files"],
        ["describe", "--always"],
        ["stash", "list"],
    ):
        plain = subprocess.run(["git", *words], cwd=empty, env=bare, capture_output=True)
        found = in_repo("git", *words, cwd=root)
        assert (found.returncode, found.stdout, found.stderr) == (plain.returncode, plain.stdout, plain.stderr), words


def test_eight_readers_at_once(in_repo):
    in_repo("jj", "describe", "-m", "something new to look at")
    before = tree(in_repo.root, leave=())
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: in_repo("git", "status", "--porcelain"), range(24)))
    wanted = in_repo("git", "status", "--porcelain").stdout
    assert [(answer.returncode, answer.stdout) for answer in answers] == [(0, wanted)] * 24
    assert tree(in_repo.root, leave=()) == before


def test_a_nested_git_repository_is_its_own(in_repo):
    nested = in_repo.root / "vendor"
    nested.mkdir()
    assert in_repo("git", "init", "-q", "-b", "main", ".", cwd=nested, shims=False).returncode == 0
    (nested / "f").write_text("f\n")
    assert in_repo("git", "add", "f", cwd=nested).stderr == b""
    assert in_repo("git", "commit", "-q", "-m", "own", cwd=nested).returncode == 0
    assert in_repo("git", "log", "--format=%s", cwd=nested).stdout == b"own\n"
