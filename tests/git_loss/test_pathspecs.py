"""Pathspecs against `git ls-files`: what a command's operands speak of."""

from __future__ import annotations

import subprocess

import pytest

from policy.model import Value
from policy.rules.predicates.git_paths import Spec

FILES = [
    "a.txt", "b.txt", "dir/a.txt", "dir/c.py", "dir/deep/x.py", "dir.txt", "dirx/y", "src/[odd]/z.txt", "src/main.c", "README", "x y/q.txt", "Src/Up.TXT",
]  # fmt: skip
SPECS = [
    ["."], ["a.txt"], ["dir"], ["dir/"], ["*.txt"], ["dir/*"], ["*.py"], ["d*"], [":/"], [":/a.txt"], [":(top)*.txt"], [":!a.txt"], [":^dir"], [":(exclude)*.txt", "."],
    ["..", ":!dir"], ["../b.txt"], ["./a.txt"], ["deep"], ["deep/x.py"], [":(glob)**/*.py"], [":(icase)SRC/UP.txt"], ["src/\\[odd\\]/z.txt"], [":(literal)src/[odd]/z.txt"],
    ["nothing"], ["?.txt"], ["[ab].txt"], ["dir", "README"], ["x y"], ["dir/../b.txt"], [":(top,exclude)dir", ":/"], ["**/x.py"],
]  # fmt: skip


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    root = tmp_path_factory.mktemp("pathspecs")
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    return root


INSIDE = [(specs, prefix) for specs in SPECS for prefix in ("", "dir/") if prefix or not specs[0].startswith("..")]


@pytest.mark.parametrize(
    ("specs", "prefix"), INSIDE, ids=lambda part: part if isinstance(part, str) else " ".join(part)
)
def test_takes_what_git_takes(repo, prefix, specs):
    out = subprocess.run(
        ["git", "ls-files", "-z", "--full-name", "--", *specs],
        cwd=repo / prefix,
        capture_output=True,
        text=True,
        check=True,
    )
    told = set(filter(None, out.stdout.split("\0")))
    spec = Spec([Value(text, text) for text in specs], prefix, str(repo))
    if prefix and all(text.startswith((":!", ":^")) for text in specs):
        assert spec.of(FILES) >= told  # some commands count from the directory then, others from the top
    else:
        assert spec.of(FILES) == told


def test_an_unknown_pathspec_takes_everything():
    spec = Spec([Value(None)], "dir/", "/repo")
    assert not spec.sure
    assert spec.of(FILES) == set(FILES)
