"""Ignore patterns against `git check-ignore`, wildmatch for its bounds."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.world.budget import Budget
from guards.world.ignore import Ignore, wildmatch

PATTERNS = [
    "*.log", "!keep.log", "/build", "build/", "**/cache", "docs/**/x", "a/*/c", "a/**", "[ab]*.txt", "[!a]*.md", "foo\\*", "\\!bang", "\\#hash",
    "trail \\ ", "  ", "*", "!*/", "!*.py", "d?r/", "/dir/sub/*", "**", "a/b", "[[:upper:]]*", "*.t[a-z]t", "sub/", "/**/deep", "x/**/y/z", "]", "[",
]  # fmt: skip
NAMES = [
    "a.log", "keep.log", "build", "src/build", "x/cache", "docs/x", "docs/q/r/x", "a/b/c", "a/x", "ab.txt", "b.md", "a.md", "foo*", "!bang",
    "#hash", "dir/sub/f", "dar/g", "deep", "q/deep", "Upper", "m.tat", "sub/k.py", "x/y/z", "x/1/2/y/z", "z.py", "]", "[",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(15))
def test_ignores_what_git_ignores(sandbox, write, seed):
    dice = random.Random(seed)
    repo = sandbox.init()
    write(repo, {".gitignore": "".join(f"{line}\n" for line in dice.sample(PATTERNS, 5))})
    write(repo, {"dir/.gitignore": "".join(f"{line}\n" for line in dice.sample(PATTERNS, 2))})
    write(repo, {".git/info/exclude": dice.choice(PATTERNS) + "\n"})
    ignore = Ignore(str(repo), [f"{repo}/.git/info/exclude"], Budget())
    names = [*NAMES, *(f"dir/{name}" for name in NAMES)]
    for name in names:
        at = repo / name
        if any(parent.is_file() for parent in at.parents if repo in parent.parents) or at.is_dir():
            continue
        write(repo, {name: "x"})
    out = sandbox.git("check-ignore", "--stdin", "-z", "--no-index", cwd=repo, stdin="\0".join(names), check=False)
    told = set(filter(None, out.split("\0")))
    seen = {name for name in names if ignore(name, directory=(repo / name).is_dir())}
    assert seen == told


@pytest.mark.parametrize(
    ("pattern", "text", "path", "expected"),
    [
        ("*", "a/b", True, False),
        ("*", "a/b", False, True),
        ("**/b", "a/b", True, True),
        ("a/**", "a/b/c", True, True),
        ("a**b", "a/b", True, False),
        ("[a-c]x", "bx", True, True),
        ("[]a]x", "]x", True, True),
        ("[!]a]x", "bx", True, True),
        ("\\*", "*", True, True),
        ("?", "/", True, False),
    ],
)
def test_wildmatch(pattern, text, path, expected):
    assert wildmatch(pattern, text, path=path) is expected


@given(st.text("ab*?[]!\\/-", max_size=12), st.text("ab/", max_size=12))
@settings(max_examples=500, deadline=None)
def test_any_pattern_comes_to_an_end(pattern, text):
    assert wildmatch(pattern, text) in (True, False)


def test_a_pattern_of_stars_does_not_explode():
    text = "a" * 60
    for stars in itertools.islice(("*a" * 25, "*?*" * 20, "**/" * 20), 3):
        assert wildmatch(stars + "b", text) is False
