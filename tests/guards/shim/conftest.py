"""One installation with shims for all tests of what shims do, and jj repositories of both kinds."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.layouts import layout_at
from tests.shims.places import NEWER, first, install


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A layout with shims; state and runtime are shared, so a test that looks at them makes its own with `fresh`."""
    layout = layout_at(tmp_path_factory.mktemp("gate post"))
    install(layout)
    return layout


@pytest.fixture
def fresh(installed, tmp_path):
    """An installation of the same rules with configuration, state, runtime and shims of its own."""
    layout = layout_at(tmp_path / "own gate")
    install(layout)
    return layout


@pytest.fixture
def bare(git_env):
    """An environment without shims."""
    return {**git_env, "PATH": NEWER}


@pytest.fixture
def shimmed(bare, installed):
    """An environment with the shims first."""
    return first(installed.prefix + "/shims", bare)


needs_jj = pytest.mark.skipif(shutil.which("jj", path=NEWER) is None, reason="no jj on this machine")


@pytest.fixture(params=["colocated", "pure"])
def jj_repo(request, tmp_path, bare):
    """A jj repository with two commits, a bookmark, a tag, and changes that jj has not seen: a.txt modified, new.txt, an ignored file."""
    if shutil.which("jj", path=NEWER) is None:
        pytest.skip("no jj on this machine")
    root = tmp_path / "repo"

    def run(*argv):
        subprocess.run(argv, cwd=root, env=bare, check=True, capture_output=True)

    root.mkdir()
    run("jj", "git", "init", "--colocate" if request.param == "colocated" else "--no-colocate", ".")
    (root / "a.txt").write_text("one\n")
    (root / ".gitignore").write_text("*.log\n")
    (root / "sub").mkdir()
    (root / "sub/b.txt").write_text("b\n")
    run("jj", "commit", "-m", "first")
    (root / "a.txt").write_text("one\ntwo\n")
    run("jj", "commit", "-m", "second")
    run("jj", "bookmark", "create", "main", "-r", "@-")
    run("jj", "tag", "set", "v1", "-r", "@--")
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    (root / "new.txt").write_text("new\n")
    (root / "out.log").write_text("log\n")
    return root


@pytest.fixture
def in_repo(jj_repo, bare, shimmed):
    """Run something in the repository: `in_repo("git", "log")`, with shims unless told otherwise."""

    def run(*argv, shims=True, cwd=None, stdin=b"", **extra):
        environment = {**(shimmed if shims else bare), **extra}
        return subprocess.run(argv, cwd=cwd or jj_repo, env=environment, input=stdin, capture_output=True, timeout=120)

    run.root = jj_repo
    run.colocated = os.path.exists(jj_repo / ".git")
    return run
