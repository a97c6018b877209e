"""The fixture states of the measurements: repositories in every condition in which a git command may find one.

`topic` changes a.txt (a conflict) and b.txt and adds topic.txt; `far` touches nothing of the states; `takes` tracks untracked.txt,
ignored.log and new.txt. The remote is a bare repository beside the repository; a colleague pushes to it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

DATE = "2026-01-01T00:00:00+0000"


class Bench:
    """A folder with `repo`, `remote.git` and whatever a state puts beside them, and one git program to work with."""

    def __init__(self, root: Path, program: str) -> None:
        self.root = root
        self.repo = root / "repo"
        self.program = program
        self.home = root / "home"
        self.env = environment(self.home, program)

    def git(self, *args: str, cwd: Path | None = None, check: bool = True, stdin: str | None = None) -> str:
        done = subprocess.run(
            [self.program, *args],
            cwd=cwd or self.repo,
            env=self.env,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
        )
        assert not check or done.returncode == 0, (args, done.stdout, done.stderr)
        return done.stdout.strip()

    def put(self, name: str, text: str) -> None:
        at = self.repo / name
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)

    def commit(self, message: str, **files: str) -> None:
        for name, text in files.items():
            self.put(name.replace("__", "/").replace("_", "."), text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


def environment(home: Path, program: str) -> dict[str, str]:
    path = f"{Path(program).parent}:{os.environ['PATH']}"
    return {
        "HOME": str(home),
        "PATH": path,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "dev",
        "GIT_AUTHOR_EMAIL": "dev@example.com",
        "GIT_COMMITTER_NAME": "dev",
        "GIT_COMMITTER_EMAIL": "dev@example.com",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        "GIT_EDITOR": "false",
        "GIT_OPTIONAL_LOCKS": "0",
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }


def base(root: Path, program: str) -> Bench:
    """The clean state: three pushed commits on main, the other branches, tags, a note."""
    bench = Bench(root, program)
    bench.home.mkdir(parents=True)
    bench.repo.mkdir()
    (bench.home / ".gitconfig").write_text(
        '[core]\n\ttrustctime = false\n\tcheckStat = minimal\n[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n'
    )
    bench.git("init", "-q", "--bare", "-b", "main", str(root / "remote.git"), cwd=root)
    bench.git("init", "-q", "-b", "main")
    os.symlink("a.txt", bench.repo / "link")
    bench.put(".gitignore", "*.log\nbuild/\n")
    bench.commit("one", a_txt="a one\n", b_txt="b one\n", keep_txt="keep one\n", dir__c_txt="c one\n")
    bench.commit("two", keep_txt="keep two\n")
    bench.git("branch", "topic")
    bench.git("branch", "far")
    bench.git("branch", "takes")
    bench.git("branch", "keep.txt")
    bench.commit("three", a_txt="a main\n")
    bench.git("checkout", "-q", "topic")
    bench.commit("topic", a_txt="a topic\n", b_txt="b topic\n", topic_txt="topic\n")
    bench.git("checkout", "-q", "far")
    bench.commit("far", far_txt="far\n")
    bench.git("checkout", "-q", "takes")
    bench.put("ignored.log", "taken log\n")
    bench.git("add", "-f", "ignored.log")
    bench.commit("takes", untracked_txt="taken\n", new_txt="taken new\n")
    bench.git("checkout", "-q", "main")
    bench.git("tag", "light", "HEAD~1")
    bench.git("tag", "-a", "v1", "-m", "v1", "HEAD~1")
    bench.git("notes", "add", "-m", "note", "HEAD")
    bench.git("remote", "add", "origin", "../remote.git")
    bench.git("push", "-q", "origin", "--all")
    bench.git("push", "-q", "origin", "--tags")
    bench.git("push", "-q", "origin", "main:dir/c2")
    bench.git("fetch", "-q", "origin")
    for branch in ("main", "topic", "far", "takes", "keep.txt"):
        bench.git("branch", "-q", f"--set-upstream-to=origin/{branch}", branch)
    return bench


def clean(bench: Bench) -> None:
    del bench


def modified(bench: Bench) -> None:
    bench.put("b.txt", "b edited\n")


def staged(bench: Bench) -> None:
    bench.put("b.txt", "b staged\n")
    bench.git("add", "b.txt")


def both(bench: Bench) -> None:
    staged(bench)
    bench.put("b.txt", "b edited after staging\n")


def newstaged(bench: Bench) -> None:
    bench.put("new.txt", "new\n")
    bench.git("add", "new.txt")


def newstagedmod(bench: Bench) -> None:
    newstaged(bench)
    bench.put("new.txt", "new, edited after staging\n")


def intent(bench: Bench) -> None:
    bench.put("new.txt", "new\n")
    bench.git("add", "-N", "new.txt")


def untracked(bench: Bench) -> None:
    bench.put("untracked.txt", "untracked\n")
    bench.put("udir/u.txt", "untracked in a directory\n")


def ignored(bench: Bench) -> None:
    bench.put("ignored.log", "log\n")
    bench.put("build/out", "built\n")
    bench.put("dir/build/o", "built here\n")


def inway(bench: Bench) -> None:
    bench.put("topic.txt/in", "in the way\n")


def deleted(bench: Bench) -> None:
    (bench.repo / "b.txt").unlink()


def stageddel(bench: Bench) -> None:
    staged(bench)
    (bench.repo / "b.txt").unlink()


def dirasfile(bench: Bench) -> None:
    (bench.repo / "b.txt").unlink()
    bench.put("b.txt/in", "in a directory instead\n")


def merge(bench: Bench) -> None:
    bench.git("merge", "topic", check=False)
    bench.put("a.txt", "a resolved by hand\n")


def mergeadd(bench: Bench) -> None:
    merge(bench)
    bench.git("add", "a.txt")
    bench.put("keep.txt", "keep edited\n")


def mergedirty(bench: Bench) -> None:
    bench.put("keep.txt", "keep edited before\n")
    bench.git("merge", "topic", check=False)


def rebase(bench: Bench) -> None:
    bench.git("rebase", "topic", check=False)
    bench.put("a.txt", "a resolved by hand\n")


def rebaseauto(bench: Bench) -> None:
    bench.put("keep.txt", "keep edited\n")
    bench.git("rebase", "--autostash", "topic", check=False)
    bench.put("a.txt", "a resolved by hand\n")
    bench.git("add", "a.txt")


def pick(bench: Bench) -> None:
    bench.git("cherry-pick", "topic", check=False)
    bench.put("a.txt", "a resolved by hand\n")
    bench.git("add", "a.txt")
    bench.put("keep.txt", "keep edited\n")


def pickseq(bench: Bench) -> None:
    bench.git("cherry-pick", "far", "topic", check=False)
    bench.put("a.txt", "a resolved by hand\n")
    bench.git("add", "a.txt")


def am(bench: Bench) -> None:
    patch = bench.git("format-patch", "-1", "--stdout", "topic")
    bench.git("am", "-3", check=False, stdin=patch + "\n")
    bench.put("a.txt", "a resolved by hand\n")


def revert(bench: Bench) -> None:
    bench.put("a.txt", "a later\n")
    bench.git("commit", "-qam", "later")
    bench.git("push", "-q", "origin", "main")
    bench.git("revert", "--no-edit", "HEAD~1", check=False)
    bench.put("a.txt", "a resolved by hand\n")


def unpushed(bench: Bench) -> None:
    bench.commit("unpushed 1", u1_txt="u1\n")
    bench.commit("unpushed 2", u2_txt="u2\n")


def unmerged(bench: Bench) -> None:
    bench.git("checkout", "-q", "-b", "side")
    bench.commit("side", s_txt="side\n")
    bench.git("checkout", "-q", "main")


def detached(bench: Bench) -> None:
    bench.git("checkout", "-q", "--detach")
    bench.commit("detached", d_txt="d\n")


def stash(bench: Bench) -> None:
    bench.put("b.txt", "b first\n")
    bench.git("stash", "-q")
    bench.put("b.txt", "b second\n")
    bench.put("stashed.txt", "untracked, stashed\n")
    bench.git("stash", "-q", "-u")


def stashdirty(bench: Bench) -> None:
    bench.put("b.txt", "b stashed\n")
    bench.git("stash", "-q")
    bench.put("keep.txt", "keep edited\n")


def linked(bench: Bench) -> None:
    bench.git("worktree", "add", "-q", "-b", "linked", "../linked")
    at = bench.root / "linked"
    (at / "untracked.txt").write_text("untracked there\n")
    (at / "ignored.log").write_text("ignored there\n")
    (at / "b.txt").write_text("b edited there\n")
    (at / "new.txt").write_text("new there\n")
    bench.git("add", "new.txt", cwd=at)


def linkedcommit(bench: Bench) -> None:
    bench.git("worktree", "add", "-q", "--detach", "../linked")
    at = bench.root / "linked"
    (at / "d.txt").write_text("d there\n")
    bench.git("add", "d.txt", cwd=at)
    bench.git("commit", "-q", "-m", "there", cwd=at)


def sub(bench: Bench) -> None:
    library = bench.root / "library"
    library.mkdir()
    bench.git("init", "-q", "-b", "main", cwd=library)
    (library / "s.txt").write_text("s\n")
    (library / "t.txt").write_text("t\n")
    bench.git("add", "-A", cwd=library)
    bench.git("commit", "-q", "-m", "library", cwd=library)
    bench.git("submodule", "add", "-q", "../library", "sub")
    bench.git("commit", "-q", "-m", "submodule")
    bench.git("push", "-q", "origin", "main")
    inner = bench.repo / "sub"
    (inner / "t.txt").write_text("t own\n")
    bench.git("commit", "-qam", "own", cwd=inner)
    (inner / "s.txt").write_text("s edited\n")
    (inner / "untracked.txt").write_text("untracked there\n")


def nested(bench: Bench) -> None:
    at = bench.repo / "nested"
    at.mkdir()
    bench.git("init", "-q", "-b", "main", cwd=at)
    (at / "n.txt").write_text("nested\n")
    bench.git("add", "-A", cwd=at)
    bench.git("commit", "-q", "-m", "nested", cwd=at)


def case(bench: Bench) -> None:
    (bench.repo / "b.txt").rename(bench.repo / "B.txt")


def symlink(bench: Bench) -> None:
    (bench.repo / "link").unlink()
    os.symlink("keep.txt", bench.repo / "link")
    outside = bench.root / "outside"
    outside.mkdir()
    (outside / "c.txt").write_text("c outside\n")
    shutil.rmtree(bench.repo / "dir")
    os.symlink("../outside", bench.repo / "dir")
    os.symlink("a.txt", bench.repo / "ulink")


def filtered(bench: Bench) -> None:
    bench.git("config", "filter.strip.clean", "sed /SECRET/d")
    bench.put(".gitattributes", "*.eol text eol=lf\n*.sec filter=strip\n")
    bench.commit("filters", f_eol="one\ntwo\n", f_sec="public\n")
    bench.git("push", "-q", "origin", "main")
    (bench.repo / "f.eol").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    bench.put("f.sec", "public\nSECRET\n")


def assume(bench: Bench) -> None:
    bench.git("update-index", "--assume-unchanged", "b.txt")
    modified(bench)


def skipwt(bench: Bench) -> None:
    bench.git("update-index", "--skip-worktree", "b.txt")
    modified(bench)


def unborn(bench: Bench) -> None:
    bench.git("checkout", "-q", "--orphan", "fresh")
    bench.git("rm", "-rfq", ".")
    bench.put("o.txt", "o\n")
    bench.git("add", "o.txt")


def bisect(bench: Bench) -> None:
    bench.git("bisect", "start", "HEAD", "HEAD~2")


def everything(bench: Bench) -> None:
    bench.put("keep.txt", "keep staged\n")
    bench.git("add", "keep.txt")
    modified(bench)
    bench.put("untracked.txt", "untracked\n")
    bench.put("ignored.log", "log\n")


def dangling(bench: Bench) -> None:
    tree = bench.git("write-tree")
    bench.git("commit-tree", "-p", "HEAD", "-m", "dangling", tree)


def reflogonly(bench: Bench) -> None:
    bench.commit("dropped", r_txt="r\n")
    bench.git("reset", "-q", "--hard", "HEAD~1")


def amended(bench: Bench) -> None:
    bench.commit("before", r_txt="r\n")
    bench.git("commit", "-q", "--amend", "-m", "after")


def colleague(bench: Bench) -> None:
    """Commits on the remote that were made elsewhere."""
    there = bench.root / "colleague"
    bench.git("clone", "-q", "remote.git", str(there), cwd=bench.root)
    (there / "theirs.txt").write_text("theirs\n")
    bench.git("add", "-A", cwd=there)
    bench.git("commit", "-q", "-m", "theirs", cwd=there)
    bench.git("push", "-q", "origin", "main", cwd=there)
    bench.git("checkout", "-q", "-b", "colleague", "HEAD~1", cwd=there)
    (there / "branch.txt").write_text("their branch\n")
    bench.git("add", "-A", cwd=there)
    bench.git("commit", "-q", "-m", "their branch", cwd=there)
    bench.git("push", "-q", "origin", "colleague", cwd=there)
    shutil.rmtree(there)


def behind(bench: Bench) -> None:
    colleague(bench)


def behindfetched(bench: Bench) -> None:
    colleague(bench)
    bench.git("fetch", "-q")


def diverged(bench: Bench) -> None:
    unpushed(bench)
    colleague(bench)


def divergedfetched(bench: Bench) -> None:
    diverged(bench)
    bench.git("fetch", "-q")


def divergeddirty(bench: Bench) -> None:
    divergedfetched(bench)
    modified(bench)


STATES = {
    make.__name__ if make is not filtered else "filter": make
    for make in (
        clean, modified, staged, both, newstaged, newstagedmod, intent, untracked, ignored, inway, deleted, stageddel, dirasfile, merge,
        mergeadd, mergedirty, rebase, rebaseauto, pick, pickseq, am, revert, unpushed, unmerged, detached, stash, stashdirty, linked,
        linkedcommit, sub, nested, case, symlink, filtered, assume, skipwt, unborn, bisect, everything, dangling, reflogonly, amended,
        behind, behindfetched, diverged, divergedfetched, divergeddirty,
    )
}  # fmt: skip


def build(root: Path, program: str, state: str) -> Bench:
    """A state made from nothing."""
    bench = base(root, program)
    STATES[state](bench)
    return bench
