"""git writes in a jj repository: what is translated does what the jj command does, everything else is refused and changes nothing."""

from __future__ import annotations

import json
import shutil
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


@pytest.fixture
def second(in_repo):
    """A second workspace beside the repository."""
    assert in_repo("git", "worktree", "add", "../second").returncode == 0
    return in_repo.root.parent / "second"


def names(in_repo):
    return (
        in_repo("jj", "--ignore-working-copy", "workspace", "list", "-T", 'name ++ "\n"', shims=False)
        .stdout.decode()
        .split()
    )


def test_worktree_list_speaks_git(in_repo, second):
    head = in_repo("git", "rev-parse", "HEAD").stdout.decode().strip()
    found = in_repo("git", "worktree", "list", "--porcelain").stdout.decode()
    assert found == "".join(f"worktree {root}\nHEAD {head}\ndetached\n\n" for root in (in_repo.root, second))
    assert in_repo("git", "worktree", "list").stdout.decode().splitlines()[1].startswith(str(second))


def test_worktree_remove(in_repo, second):
    assert in_repo("git", "worktree", "remove", "../second/.").returncode == 0
    assert names(in_repo) == ["default"]
    assert not second.exists()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("what", ["modified", "untracked", "ignored"])
def test_worktree_remove_keeps_what_would_be_lost(in_repo, second, what, force):
    path, text = {"modified": ("a.txt", "x\n"), "untracked": ("fresh.txt", "x\n"), "ignored": ("x.log", "x\n")}[what]
    (second / path).write_text(text)
    found = in_repo("git", "worktree", "remove", *(["-f"] if force else []), "../second")
    assert found.returncode == (0 if force else 126), found.stderr
    assert second.exists() is not force
    assert ("second" in names(in_repo)) is not force


@pytest.mark.parametrize(
    "words",
    [
        ["remove", "."],
        ["remove", "-f", "."],
        ["remove", "../nosuch"],
        ["remove", "../link"],
        ["remove", "../link/"],
        ["remove", "../plain"],
        ["remove", "a.txt"],
        ["remove", "/"],
        ["remove", "../second/sub"],
        ["remove", "--what", "../second"],
        ["remove"],
        ["remove", "../second", "../plain"],
    ],
)
def test_worktree_remove_takes_only_a_registered_root(in_repo, second, words):
    (in_repo.root.parent / "plain").mkdir()
    (in_repo.root.parent / "link").symlink_to(second)
    found = in_repo("git", "worktree", *words)
    assert found.returncode == 126, found.stderr
    assert second.exists()
    assert sorted(names(in_repo)) == ["default", "second"]


def test_worktree_remove_not_where_we_are(in_repo, second):
    for place in (second, second / "sub"):
        assert in_repo("git", "worktree", "remove", "-f", str(second), cwd=place).returncode == 126
    assert second.exists()


def test_worktree_prune(in_repo, second):
    shutil.rmtree(second)
    assert in_repo("git", "worktree", "prune", "-n").returncode == 0
    assert sorted(names(in_repo)) == ["default", "second"]
    assert in_repo("git", "worktree", "prune").returncode == 0
    assert names(in_repo) == ["default"]


def test_reads_in_the_second_workspace(in_repo, second):
    (second / "a.txt").write_text("other\n")
    assert in_repo("git", "status", "--porcelain", cwd=second).stdout == b" M a.txt\n"
    assert in_repo("git", "rev-parse", "--show-toplevel", cwd=second).stdout.decode().strip() == str(second)


@pytest.fixture
def remote(in_repo, tmp_path, bare):
    """A bare repository as the remote `origin`, known to jj."""
    path = tmp_path / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], check=True, env=bare)
    assert in_repo("jj", "git", "remote", "add", "origin", str(path)).returncode == 0
    return path


def test_jj_itself_may_use_git(in_repo, remote, bare):
    assert in_repo("jj", "git", "push", "--allow-new", "-b", "main").returncode in (0, 2)
    pushed = in_repo("jj", "git", "push", "-b", "main")
    listed = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname)"], cwd=remote, env=bare, capture_output=True
    ).stdout
    assert listed == b"refs/heads/main\n", pushed.stderr
    fetched = in_repo("jj", "git", "fetch")
    assert fetched.returncode == 0, fetched.stderr
    with open(bare["JJ_CONFIG"], "a") as file:
        file.write('aliases.get = ["git", "fetch"]\n')
    assert in_repo("jj", "get").returncode == 0


@pytest.mark.parametrize("words", [["util", "exec", "--"], ["x"]])
def test_jj_util_exec_is_no_way_round(in_repo, bare, words):
    with open(bare["JJ_CONFIG"], "a") as file:
        file.write('aliases.x = ["util", "exec", "--"]\n')
    before = in_repo("git", "log", "--format=%H", "--branches").stdout
    found = in_repo("jj", *words, "git", "stash")
    assert found.returncode != 0
    assert b"jj/git-" in found.stderr
    assert in_repo("git", "log", "--format=%H", "--branches").stdout == before


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
