"""What a command really destroyed: everything in and around a repository, before and after."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.git_loss.bench import Bench

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""The blob of an entry that `git add -N` makes: no bytes of anybody's."""


class Snapshot(NamedTuple):
    """`files` path below the bench to blob id; `index` path to blob id; `commits` ids that names reach; `remote` likewise there."""

    files: dict[str, str]
    index: dict[str, str]
    commits: frozenset[str]
    stash: tuple[str, ...]
    remote: frozenset[str]
    remote_refs: frozenset[str]


def blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def files(root: Path, skip: frozenset[str] = frozenset(("remote.git", "home", "library"))) -> dict[str, str]:
    """Every file and link outside git's own folders."""
    found: dict[str, str] = {}
    todo = [root]
    while todo:
        folder = todo.pop()
        for entry in os.scandir(folder):
            if entry.name == ".git" or (folder == root and entry.name in skip):
                continue
            at = Path(entry.path)
            name = str(at.relative_to(root))
            if entry.is_symlink():
                found[name] = blob(os.readlink(at).encode())
            elif entry.is_dir():
                todo.append(at)
            else:
                found[name] = blob(at.read_bytes())
    return found


def snapshot(bench: Bench) -> Snapshot:
    listed = bench.git("ls-files", "-s", "-z", check=False)
    index = {
        line.split("\t")[1]: line.split()[1]
        for line in listed.split("\0")
        if line and line.split()[2] == "0" and not line.startswith("160000") and line.split()[1] != EMPTY
    }
    tips = ["--branches", "--tags", "--remotes", "--glob=refs/notes", "--glob=refs/original"]
    heads = [
        line[5:]
        for line in bench.git("worktree", "list", "--porcelain", check=False).splitlines()
        if line.startswith("HEAD ") and line[5:].strip("0")
    ]
    commits = bench.git("rev-list", *tips, *heads, check=False).split()
    remote = ["--git-dir", str(bench.root / "remote.git")]
    return Snapshot(
        files(bench.root),
        index,
        frozenset(commits),
        tuple(bench.git("stash", "list", "--format=%H", check=False).split()),
        frozenset(bench.git(*remote, "rev-list", "--all", cwd=bench.root).split()),
        frozenset(bench.git(*remote, "for-each-ref", "--format=%(refname)", cwd=bench.root).split()),
    )


def known(bench: Bench, ids: set[str]) -> set[str]:
    """Those blobs that some repository here has as an object."""
    left = set(ids)
    for place in (bench.repo, bench.repo / "sub", bench.root / "linked"):
        if left and (place / ".git").exists():
            out = subprocess.run(
                [bench.program, "cat-file", "--batch-check"],
                cwd=place,
                env=bench.env,
                input="\n".join(left),
                capture_output=True,
                text=True,
            ).stdout
            left -= {
                line.split()[0]
                for line in out.splitlines()
                if line.endswith(tuple("0123456789")) and " missing" not in line
            }
    return set(ids) - left


def named(bench: Bench) -> set[str]:
    """Objects that a ref, a reflog or an index reaches."""
    out = bench.git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects", check=False)
    return {line.split()[0] for line in out.splitlines()}


def contents(bench: Bench, stash: str) -> set[str]:
    """The blobs that a stash entry holds: worktree, index, untracked files."""
    found: set[str] = set()
    for part in (stash, f"{stash}^2", f"{stash}^3"):
        listed = bench.git("ls-tree", "-r", part, check=False)
        found |= {line.split()[2] for line in listed.splitlines()}
    return found


def losses(bench: Bench, before: Snapshot) -> dict[str, set[str]]:
    """Class to what was lost, in the words of `would_lose`."""
    after = snapshot(bench)
    found: dict[str, set[str]] = {}
    still = set(after.files.values())
    gone = {name: oid for name, oid in before.files.items() if after.files.get(name) != oid and oid not in still}
    kept = known(bench, set(gone.values()))
    for name, oid in gone.items():
        if oid not in kept:
            found.setdefault("other-worktree" if name.startswith("linked/") else "worktree", set()).add(name)
    dropped = {name: oid for name, oid in before.index.items() if after.index.get(name) != oid and oid not in still}
    reached = named(bench) if dropped else set()
    lost = {name for name, oid in dropped.items() if oid not in reached}
    if lost:
        found["index"] = lost
    for oid in before.stash:
        if oid not in after.stash and contents(bench, oid) - still - named(bench):
            found.setdefault("stash", set()).add(oid)
    missing = before.commits - after.commits
    if missing:
        logged = set(bench.git("rev-list", "--reflog", check=False).split())
        found["reflog" if missing <= logged else "commits"] = set(missing)
    if before.remote - after.remote or before.remote_refs - after.remote_refs:
        found["remote"] = set(before.remote - after.remote) | set(before.remote_refs - after.remote_refs)
    return found
