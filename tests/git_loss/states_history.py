"""States of commits: not pushed, not merged, detached, stashed, dangling, behind what a colleague pushed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.git_loss.states_tree import modified

if TYPE_CHECKING:
    from tests.git_loss.bench import Bench


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
