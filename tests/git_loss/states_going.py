"""States in which something is going on: merge, rebase, cherry-pick, am, revert, bisect, an unborn branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.git_loss.bench import Bench


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


def bisect(bench: Bench) -> None:
    bench.git("bisect", "start", "HEAD", "HEAD~2")


def unborn(bench: Bench) -> None:
    bench.git("checkout", "-q", "--orphan", "fresh")
    bench.git("rm", "-rfq", ".")
    bench.put("o.txt", "o\n")
    bench.git("add", "o.txt")
