"""States with more than one place: linked working trees, submodules, nested repositories, links that lead out."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.git_loss.bench import Bench


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


def symlink(bench: Bench) -> None:
    (bench.repo / "link").unlink()
    os.symlink("keep.txt", bench.repo / "link")
    outside = bench.root / "outside"
    outside.mkdir()
    (outside / "c.txt").write_text("c outside\n")
    shutil.rmtree(bench.repo / "dir")
    os.symlink("../outside", bench.repo / "dir")
    os.symlink("a.txt", bench.repo / "ulink")
