"""RealWorld.status against `git status --porcelain=v2`, on repositories made by random edits."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from guards.world import RealWorld

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


def steps(sandbox, repo: Path, dice: random.Random, count: int) -> None:
    def path() -> str:
        return dice.choice(NAMES)

    def put(name: str, text: str) -> None:
        at = repo / name
        if at.is_dir() or any(
            parent.is_file() or parent.is_symlink()
            for parent in at.parents
            if parent != repo and repo in parent.parents
        ):
            return
        if at.is_symlink():
            at.unlink()
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)

    for _ in range(count):
        name = path()
        at = repo / name
        match dice.randrange(16):
            case 0 | 1 | 2:
                put(name, f"text {dice.randrange(10)}\n")
            case 3 | 4:
                sandbox.git("add", "-f", "--", name, cwd=repo, check=False)
            case 5:
                sandbox.git("add", "-A", cwd=repo, check=False)
            case 6:
                sandbox.git("commit", "-qm", "step", cwd=repo, check=False)
            case 7:
                at.unlink(missing_ok=True) if not at.is_dir() else shutil.rmtree(at)
            case 8:
                sandbox.git("rm", "-q", "--cached", "--", name, cwd=repo, check=False)
            case 9:
                if at.is_file() and not at.is_symlink():
                    at.chmod(0o755 if dice.random() < 0.5 else 0o644)
            case 10:
                if at.is_file() and not at.is_symlink():
                    at.unlink()
                    at.symlink_to(dice.choice(["a.txt", "nowhere"]))
            case 11:
                put(name + ".new", "untracked\n")
                sandbox.git("add", "-N", "--", name + ".new", cwd=repo, check=False)
            case 12:
                put(f"un/{dice.randrange(4)}/{name}", "untracked\n")
            case 13:
                put(
                    ".gitignore",
                    dice.choice(["*.log\n", "log/\n!log/keep\n", "/un/1\n*.new\n", "dir/*\n!dir/sub\n", "**/d.txt\n"]),
                )
            case 14:
                put("dir/.gitignore", dice.choice(["sub\n", "*.txt\n!c.txt\n", "/c.*\n"]))
            case 15:
                if at.is_file() and not at.is_symlink():
                    text = at.read_text()
                    at.write_text(text[::-1] if dice.random() < 0.5 else text)


@pytest.mark.parametrize("seed", range(24))
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
        steps(sandbox, repo, dice, 12)
        agree(sandbox, repo)
