"""Installations with shims, and a way to run one command with and without them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from guards.install import deploy
from guards.layout import Layout, own_modules
from guards.shim import bundle
from policy.rules import catalog
from policy.rules import compile as rules
from shims import generate_shims


@dataclass
class Place:
    """A folder that is put back between two runs of the same command."""

    folder: Path
    pristine: Path
    environment: dict
    shims: str
    extra: dict = field(default_factory=dict)

    def run(self, argv, *, shimmed, stdin=b"", **more):
        """Run in a fresh copy; (status, stdout, stderr, what the folder then holds)."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        shutil.copytree(self.pristine, self.folder, symlinks=True)
        environment = {**self.environment, **self.extra}
        if shimmed:
            environment["PATH"] = f"{self.shims}:{environment['PATH']}"
        done = subprocess.run(
            argv, cwd=self.folder, env=environment, input=stdin, capture_output=True, timeout=60, **more
        )
        return done.returncode, done.stdout, done.stderr


def contents(folder):
    """Every file below a folder with its bytes; git's index apart, which holds inode numbers."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and not path.is_symlink() and path.name not in ("index", "HEAD.lock")
    }


def layout_at(root):
    return Layout(
        prefix=f"{root}/prefix",
        bin=f"{root}/bin",
        config=f"{root}/config",
        state=f"{root}/state",
        runtime=f"{root}/run",
        compiled=f"{root}/prefix/compiled",
        python=sys.executable,
        modules=own_modules(),
        managed=f"{root}/managed",
    )


def install(layout, compiler="cc"):
    """What deploy does, without trying the rules' examples: those are tests of their own."""
    deploy.folders(layout)
    rules.write(catalog.sources(layout.managed, layout.config, layout.bin), layout.compiled, check=False)
    deploy.build_tables(layout)
    deploy.launchers(layout)
    bundle.write(layout)
    generate_shims.write(layout, path=search_path(), compiler=compiler)


def search_path():
    """Where the tests look for programs: a newer git and jj first, where the machine has them."""
    folder = os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")
    return f"{folder}:{os.environ['PATH']}" if os.path.isdir(folder) else os.environ["PATH"]


@pytest.fixture(scope="session", params=["compiled", "script"])
def installed(request, tmp_path_factory):
    """A layout whose shims are of the kind in turn."""
    layout = layout_at(tmp_path_factory.mktemp(f"gate {request.param}"))
    install(layout, "cc" if request.param == "compiled" else None)
    return layout


@pytest.fixture
def shims(installed):
    return installed.prefix + "/shims"


@pytest.fixture
def place(tmp_path, dirty_repo, git_env, shims):
    """The dirty repository, as often as needed."""
    (tmp_path / "home/.gitconfig").write_text("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
    pristine = tmp_path / "pristine"
    shutil.move(dirty_repo, pristine)
    return Place(tmp_path / "work", pristine, git_env, shims)


@pytest.fixture
def on_path(git_env, shims):
    """An environment with the shims first on PATH."""
    return {**git_env, "PATH": f"{shims}{os.pathsep}{git_env['PATH']}"}
