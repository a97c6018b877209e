"""jj, make, npm and rsync through the shims: what no rule concerns is the same as without them, to the byte."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.layouts import layout_at
from tests.shims.places import NEWER, Place, install, tree

STEADY = {
    "JJ_RANDOMNESS_SEED": "7",
    "JJ_TIMESTAMP": "2001-02-03T04:05:06+00:00",
    "JJ_OP_TIMESTAMP": "2001-02-03T04:05:06+00:00",
    "JJ_OP_HOSTNAME": "host",
    "JJ_OP_USERNAME": "ada",
}
"""What jj takes instead of chance and the clock."""

JJ = [
    "jj",
    "jj version",
    "jj log",
    "jj log -r all() --no-graph -T commit_id",
    "jj l",
    "jj st",
    "jj status --no-pager",
    "jj diff --git",
    "jj show @-",
    "jj evolog",
    "jj op log",
    "jj --at-op @- log",
    "jj root",
    "jj git root",
    "jj file list",
    "jj file show -r @- a.txt",
    "jj config list user",
    "jj help new",
    "jj new -m next",
    "jj new --no-edit @-",
    "jj describe -m x",
    "jj commit -m x a.txt",
    "jj ci -m x",
    "jj split -m x a.txt",
    "jj squash -m both",
    "jj restore a.txt",
    "jj abandon",
    "jj undo",
    "jj bookmark create topic -r @-",
    "jj bookmark list",
    "jj tag list",
    "jj workspace list",
    "jj rebase -r @ --onto root()",
    "jj resolve --list",
    "jj sparse list",
    "jj util config-schema",
    "jj nosuch",
    "jj nosuch --option",
    "jj log --nosuch",
    "jj log -r nosuch",
    "jj -R nosuch log",
    "jj -r @ log",
    "jj -r @",
]
OTHERS = [
    "make",
    "make -s -j2 both",
    "make fails",
    "make nosuch",
    "npm run --silent hello -- 'a b'",
    "npm run --silent fails",
    "npm pkg get name",
    "rsync -a --out-format=%n src/ copy/",
    "rsync -a nosuch copy",
    "rsync",
    "uv --version",
    "uv nosuch",
    "uvx --version",
    "scp src/a.txt src/b.txt",
    "sftp -nosuch",
    "ssh -V",
    "ssh -nosuch",
]
MAKEFILE = """
all: ; @git rev-parse --show-prefix; git log -1 --format=%s; echo done
both: one two
one two: ; @git status --short | cat
fails: ; @git diff --quiet HEAD~1; echo not here
"""


@pytest.fixture(scope="module")
def shims(tmp_path_factory):
    layout = layout_at(tmp_path_factory.mktemp("tools"))
    install(layout)
    return layout.prefix + "/shims"


def given(text):
    if shutil.which(text.split()[0], path=NEWER) is None:
        pytest.skip(f"no {text.split()[0]} on this machine")


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A function that answers, for a kind of jj repository, one with two commits and a changed file; always at the same path."""
    made = {}

    def repository(kind):
        if kind not in made:
            folder = tmp_path_factory.mktemp("pristine") / "repo"
            folder.mkdir()
            (folder.parent / "config.toml").write_text(
                'user = { name = "Ada", email = "a@x" }\naliases.l = ["log", "-n1"]\n'
            )
            environment = {**os.environ, **STEADY, "PATH": NEWER, "JJ_CONFIG": str(folder.parent / "config.toml")}
            for words in (["git", "init", kind, "."], ["commit", "-m", "one"], ["commit", "-m", "two"]):
                (folder / "a.txt").write_text(f"{words[-1]}\n")
                subprocess.run(["jj", *words], cwd=folder, env=environment, check=True, capture_output=True)
            (folder / "a.txt").write_text("three\n")
            made[kind] = folder, environment
        return made[kind]

    return repository


@pytest.mark.parametrize("text", JJ)
@pytest.mark.parametrize("kind", ["--colocate", "--no-colocate"])
def test_jj(pristine, shims, tmp_path, kind, text):
    given("jj")
    folder, environment = pristine(kind)
    place = Place(tmp_path / "repo", folder, environment, shims)
    bare = place.run(text.split(), shimmed=False)
    files = tree(place.folder)
    assert place.run(text.split(), shimmed=True) == bare
    assert compared(tree(place.folder)) == compared(files)


def compared(files):
    """Operations are named by what is in them, which jj writes in any order; times of files and of git's own log are no content."""
    held = {path: data for path, data in files.items() if "/op_store/" not in path and "/logs/" not in path}
    return sorted(files), {path: data for path, data in held.items() if not path.endswith(("/checkout", "/tree_state"))}


@pytest.mark.parametrize("text", OTHERS)
def test_other_tools(dirty_repo, git_env, shims, tmp_path, text):
    given(text)
    (tmp_path / "home/.gitconfig").write_text("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
    (dirty_repo / ".git/objects/maintenance.lock").unlink(missing_ok=True)
    (dirty_repo / "Makefile").write_text(MAKEFILE)
    (dirty_repo / "package.json").write_text(
        '{"name": "p", "scripts": {"hello": "git rev-parse HEAD && echo", "fails": "git cat-file -e nosuch"}}'
    )
    for name in "ab":
        (dirty_repo / f"src/{name}.txt").write_text(name)
    place = Place(
        tmp_path / "work", dirty_repo, {**git_env, "PATH": NEWER, "npm_config_update_notifier": "false"}, shims
    )
    bare = place.run(["sh", "-c", text], shimmed=False)
    files = tree(place.folder)
    assert place.run(["sh", "-c", text], shimmed=True) == bare
    assert tree(place.folder) == files
