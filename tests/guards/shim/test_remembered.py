"""Tools that put an earlier PATH back do not take the shims away with it."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from guards import remembered
from guards.cli import run

SEARCH = "/usr/local/bin:/usr/bin:/bin"


def test_what_cannot_be_read_is_forgotten():
    for text in (
        "",
        "x",
        "eJw=",
        "eJyrrgUAAXUA-Q==",
    ):  # nothing, no base64, half of a stream, an object without the two sides
        given = {"DIRENV_DIFF": text, "DIRENV_DIR": "-/x", "FOO": "1", "_OLD_VIRTUAL_PATH": "/bin"}
        assert remembered.amended(given, "/shims:{}".format) == {"FOO": "1", "_OLD_VIRTUAL_PATH": "/shims:/bin"}


@pytest.fixture
def person(tmp_path, monkeypatch):
    """A person's environment, in a folder whose .envrc direnv has loaded; `other` has one, too."""
    if shutil.which("direnv", path=SEARCH) is None:
        pytest.skip("no direnv on this machine")
    environment = {"PATH": SEARCH, "HOME": f"{tmp_path}/home"}
    for name, text in (("project", "PATH_add tools\nexport FOO=bar\n"), ("other", "export BAZ=1\n")):
        (tmp_path / name / "tools").mkdir(parents=True)
        (tmp_path / name / ".envrc").write_text(text)
        subprocess.run(["direnv", "allow"], cwd=tmp_path / name, env=environment, check=True, capture_output=True)
    script = 'eval "$(direnv export bash)"; env -0'
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path / "project", env=environment, capture_output=True)
    assert b"DIRENV_DIFF=" in done.stdout
    monkeypatch.setattr(os, "environ", dict(entry.split("=", 1) for entry in done.stdout.decode().split("\0")[:-1]))
    return tmp_path


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("command -v git; echo $FOO", "bar"),
        ("direnv exec . sh -c 'command -v git; echo $FOO'", "bar"),
        ("direnv exec ../other sh -c 'command -v git; echo $FOO$BAZ'", "1"),
        ('cd ../other; eval "$(direnv export bash)"; command -v git; echo $FOO$BAZ', "1"),
        ('cd ..; eval "$(direnv export bash)"; command -v git; echo $FOO$BAZ', ""),
    ],
)
def test_direnv_that_was_loaded_before_the_session(person, installed, script, told):
    environment = run.surroundings(installed, "id")
    done = subprocess.run(
        ["bash", "-c", script], cwd=person / "project", env=environment, capture_output=True, text=True
    )
    assert done.stdout == f"{installed.prefix}/shims/git\n{told}\n", done.stderr
