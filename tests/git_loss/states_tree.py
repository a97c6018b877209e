"""States of the working tree and the index: what is edited, staged, new, ignored, in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.git_loss.bench import Bench


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


def case(bench: Bench) -> None:
    (bench.repo / "b.txt").rename(bench.repo / "B.txt")


def assume(bench: Bench) -> None:
    bench.git("update-index", "--assume-unchanged", "b.txt")
    modified(bench)


def skipwt(bench: Bench) -> None:
    bench.git("update-index", "--skip-worktree", "b.txt")
    modified(bench)


def everything(bench: Bench) -> None:
    bench.put("keep.txt", "keep staged\n")
    bench.git("add", "keep.txt")
    modified(bench)
    bench.put("untracked.txt", "untracked\n")
    bench.put("ignored.log", "log\n")


def filtered(bench: Bench) -> None:
    bench.git("config", "filter.strip.clean", "sed /SECRET/d")
    bench.put(".gitattributes", "*.eol text eol=lf\n*.sec filter=strip\n")
    bench.commit("filters", f_eol="one\ntwo\n", f_sec="public\n")
    bench.git("push", "-q", "origin", "main")
    (bench.repo / "f.eol").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    bench.put("f.sec", "public\nSECRET\n")
