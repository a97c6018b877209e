"""RealWorld.status against `git status --porcelain=v2`, on repositories made by random edits."""

from __future__ import annotations

import random
import shutil

import pytest

from guards.world import RealWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["a.txt", "b.txt", "dir/c.txt", "dir/sub/d.txt", "dir-e.txt", "dir.f", "zeta/été.txt", "x y.txt", "log/app.log"]


def porcelain(sandbox, repo: Path) -> dict[str, set[str]]:
    """What git says, in the words of Status."""
    out = sandbox.git("status", "--porcelain=v2", "-z", "-uall", "--ignored=matching", cwd=repo)
    found: dict[str, set[str]] = {
        key: set() for key in ("modified", "staged", "untracked", "ignored", "unmerged", "deleted", "intent_to_add")
    }
    for line in filter(None, out.split("\0")):
        kind, _, rest = line.partition(" ")
        if kind == "?":
            found["untracked"].add(rest)
        elif kind == "!":
            found["ignored"].add(rest)
        elif kind == "u":
            found["unmerged"].add(rest.split(" ", 9)[9])
        elif kind == "1":
            fields = rest.split(" ", 7)
            staged, disk, path = fields[0][0], fields[0][1], fields[7]
            if disk == "A":
                found["intent_to_add"].add(path)
                continue
            if staged in "AMT":
                found["staged"].add(path)
            if disk in "MT":
                found["modified"].add(path)
            elif disk == "D":
                found["deleted"].add(path)
    return found


def ours(repo: Path, sandbox) -> dict[str, set[str]]:
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(repo), {})
    status = world.status(place, untracked=True, ignored=True)
    found = {
        key: set(getattr(status, key))
        for key in ("modified", "staged", "untracked", "ignored", "unmerged", "deleted", "intent_to_add")
    }
    found["modified"] -= found["unmerged"]
    assert set(status.staged_and_modified) == set(status.staged) & set(status.modified)
    return found


def agree(sandbox, repo: Path) -> None:
    # ours first: git refreshes the index
    seen = ours(repo, sandbox)
    assert seen == porcelain(sandbox, repo)
    assert ours(repo, sandbox) == seen


class Edits:
    """Random things that people and programs do to a working tree."""

    def __init__(self, sandbox, repo: Path, dice: random.Random) -> None:
        self.sandbox = sandbox
        self.repo = repo
        self.dice = dice

    def git(self, *args: str) -> None:
        self.sandbox.git(*args, cwd=self.repo, check=False)

    def put(self, name: str, text: str) -> None:
        at = self.repo / name
        above = [parent for parent in at.parents if parent != self.repo and self.repo in parent.parents]
        if at.is_dir() or any(parent.is_file() or parent.is_symlink() for parent in above):
            return
        if at.is_symlink():
            at.unlink()
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)

    def plain(self, name: str) -> Path | None:
        at = self.repo / name
        return at if at.is_file() and not at.is_symlink() else None

    def write(self, name: str) -> None:
        self.put(name, f"text {self.dice.randrange(10)}\n")

    def add(self, name: str) -> None:
        self.git("add", "-f", "--", name)

    def add_all(self, _name: str) -> None:
        self.git("add", "-A")

    def commit(self, _name: str) -> None:
        self.git("commit", "-qm", "step")

    def delete(self, name: str) -> None:
        at = self.repo / name
        if at.is_dir() and not at.is_symlink():
            shutil.rmtree(at)
        else:
            at.unlink(missing_ok=True)

    def untrack(self, name: str) -> None:
        self.git("rm", "-q", "--cached", "--", name)

    def mode(self, name: str) -> None:
        if at := self.plain(name):
            at.chmod(self.dice.choice([0o755, 0o644]))

    def link(self, name: str) -> None:
        if at := self.plain(name):
            at.unlink()
            at.symlink_to(self.dice.choice(["a.txt", "nowhere"]))

    def intend(self, name: str) -> None:
        self.put(f"{name}.new", "untracked\n")
        self.git("add", "-N", "--", f"{name}.new")

    def untracked(self, name: str) -> None:
        self.put(f"un/{self.dice.randrange(4)}/{name}", "untracked\n")

    def ignore(self, _name: str) -> None:
        self.put(
            ".gitignore",
            self.dice.choice(["*.log\n", "log/\n!log/keep\n", "/un/1\n*.new\n", "dir/*\n!dir/sub\n", "**/d.txt\n"]),
        )

    def ignore_below(self, _name: str) -> None:
        self.put("dir/.gitignore", self.dice.choice(["sub\n", "*.txt\n!c.txt\n", "/c.*\n"]))

    def same_size(self, name: str) -> None:
        if at := self.plain(name):
            text = at.read_text()
            at.write_text(self.dice.choice([text, text[::-1]]))

    def some(self, count: int) -> None:
        often = [self.write, self.write, self.add]
        kinds = [
            self.add_all,
            self.commit,
            self.delete,
            self.untrack,
            self.mode,
            self.link,
            self.intend,
            self.untracked,
        ]
        kinds += [*often, self.ignore, self.ignore_below, self.same_size]
        for _ in range(count):
            self.dice.choice(kinds)(self.dice.choice(NAMES))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("form", ["2", "4", "split"])
def test_status_says_what_git_says(sandbox, seed, form):
    dice = random.Random(f"{seed} {form}")
    repo = sandbox.init()
    if form == "split":
        sandbox.git("config", "core.splitIndex", "true", cwd=repo)
        sandbox.git("config", "splitIndex.maxPercentChange", "100", cwd=repo)
    else:
        sandbox.git("config", "index.version", form, cwd=repo)
    for _ in range(4):
        Edits(sandbox, repo, dice).some(12)
        agree(sandbox, repo)


def test_a_sparse_index(sandbox, write):
    repo = sandbox.init()
    write(repo, {f"{folder}/{name}.txt": name for folder in ("in", "out", "out/deep") for name in "abc"})
    write(repo, {"top.txt": "top\n"})
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "one", cwd=repo)
    sandbox.git("branch", "other", cwd=repo)
    sandbox.git("sparse-checkout", "set", "--cone", "--sparse-index", "in", cwd=repo)
    agree(sandbox, repo)
    write(repo, {"in/a.txt": "edited\n", "in/new.txt": "new\n"})
    sandbox.git("add", "in/new.txt", cwd=repo)
    agree(sandbox, repo)
    world = RealWorld(sandbox.environment, str(sandbox.home))
    place = world.repository(str(repo), {})
    assert world.tracked(place) == set(sandbox.git("ls-files", cwd=repo).splitlines())
    assert world.against(place, "other").added == ("in/new.txt",)


def test_conflicts_and_what_was_edited_in_them(sandbox, write):
    repo = sandbox.init()
    write(repo, {"a.txt": "base\n", "b.txt": "base\n"})
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "base", cwd=repo)
    sandbox.git("checkout", "-qb", "side", cwd=repo)
    write(repo, {"a.txt": "side\n", "b.txt": "side\n"})
    sandbox.git("commit", "-qam", "side", cwd=repo)
    sandbox.git("checkout", "-q", "main", cwd=repo)
    write(repo, {"a.txt": "main\n", "b.txt": "main\n"})
    sandbox.git("commit", "-qam", "main", cwd=repo)
    sandbox.git("merge", "side", cwd=repo, check=False)

    def status() -> object:
        world = RealWorld(sandbox.environment, str(sandbox.home))
        return world.status(world.repository(str(repo), {}))

    found = status()
    assert (found.operation, found.unmerged, found.modified) == ("merge", ("a.txt", "b.txt"), ())
    write(repo, {"a.txt": "resolved by hand\n", "b.txt": "side\n"})
    assert status().modified == ("a.txt",)


@pytest.mark.parametrize(
    ("flag", "field"), [("--assume-unchanged", "assumed_unchanged"), ("--skip-worktree", "skip_worktree")]
)
def test_flagged_files_that_differ_are_told_apart(sandbox, write, flag, field):
    repo = sandbox.init()
    write(repo, {"a.txt": "a\n", "b.txt": "b\n"})
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "one", cwd=repo)
    sandbox.git("update-index", flag, "a.txt", "b.txt", cwd=repo)
    write(repo, {"a.txt": "edited\n"})
    world = RealWorld(sandbox.environment, str(sandbox.home))
    status = world.status(world.repository(str(repo), {}))
    assert getattr(status, field) == ("a.txt",)
    assert status.modified == ()


def test_line_ends_that_git_would_write_itself_are_no_change(sandbox):
    repo = sandbox.init()
    sandbox.git("config", "core.autocrlf", "true", cwd=repo)
    (repo / "a.txt").write_bytes(b"one\r\ntwo\r\n")
    sandbox.git("add", "-A", cwd=repo)
    sandbox.git("commit", "-qm", "one", cwd=repo)
    (repo / "a.txt").touch()
    world = RealWorld(sandbox.environment, str(sandbox.home))
    assert world.status(world.repository(str(repo), {})).modified == ()
