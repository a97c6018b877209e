"""The repository that every state starts from, and one git program to work with.

`topic` changes a.txt (a conflict) and b.txt and adds topic.txt; `far` touches nothing of the states; `takes` tracks untracked.txt,
ignored.log and new.txt. The remote is a bare repository beside the repository; a colleague pushes to it.
"""

from __future__ import annotations

import os
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
