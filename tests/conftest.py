"""Fixtures that more than one folder of tests needs: an installation in a temporary folder, and repositories to judge commands in."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from guards.install.deploy import deploy
from tests.layouts import keep, layout_at

ROOT = Path(__file__).resolve().parent.parent
JJ_BIN = os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")

# nohup and a shell's `&` leave these ignored, and every program that a test starts would inherit that
for _number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
    signal.signal(_number, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config, items):
    """Tests marked full or e2e run only when -m names them."""
    chosen = config.getoption("-m")
    left = [
        item for item in items if any(item.get_closest_marker(mark) and mark not in chosen for mark in ("full", "e2e"))
    ]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


@pytest.fixture
def layout(tmp_path):
    """Folders of an installation that is not made yet; blanks in its path on purpose."""
    return layout_at(tmp_path / "gate post")


@pytest.fixture(scope="session")
def deployed(tmp_path_factory):
    """The layout of a working installation, shared by the whole run: read it, do not change it."""
    made = layout_at(tmp_path_factory.mktemp("gate post"))
    keep(made.compiled)
    deploy(made)
    return made


@pytest.fixture
def deployed_here(layout):
    """The layout of a working installation of this test's own, to break and to change."""
    keep(layout.compiled)
    deploy(layout)
    return layout


@pytest.fixture
def git_env(tmp_path):
    """An environment in which git and jj see no configuration but their defaults, in a home of its own, at a fixed time."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    path = os.environ["PATH"]
    return {
        "HOME": str(home),
        "PATH": f"{JJ_BIN}:{path}" if os.path.isdir(JJ_BIN) else path,
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
        "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
        "GIT_TERMINAL_PROMPT": "0",
        "JJ_USER": "Ada",
        "JJ_EMAIL": "ada@example.org",
        "JJ_CONFIG": str(home / "jj.toml"),
    }


@pytest.fixture
def dirty_repo(tmp_path, git_env):
    """A git repository on branch main with two commits and, uncommitted: src/a.py modified, src/new.py untracked, out.log ignored."""
    repo = tmp_path / "repo"
    (repo / "src").mkdir(parents=True)

    def git(*words):
        subprocess.run(["git", *words], cwd=repo, env=git_env, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (repo / "src/a.py").write_text("one = 1\n")
    (repo / ".gitignore").write_text("*.log\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    (repo / "src/b.py").write_text("two = 2\n")
    git("add", ".")
    git("commit", "-q", "-m", "second")
    (repo / "src/a.py").write_text("one = 11\n")
    (repo / "src/new.py").write_text("new = 0\n")
    (repo / "out.log").write_text("log\n")
    return repo
