"""install.sh run for real: into temporary folders, from a wheel folder, with interpreters that lack something."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("policy", "guards", "shims", "rules", "install.sh", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="session")
def wheels():
    """A folder with the wheel of everything that an installation needs, so that no test of ours needs a network twice."""
    folder = Path(sys.prefix) / "wheels"
    if not folder.is_dir():
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", folder, "hatchling", ROOT]
        subprocess.run(command, check=True)
        for own in folder.glob("gatepost-*"):
            own.unlink()
    return folder


@pytest.fixture
def sources(tmp_path):
    """A copy of what install.sh installs from, to break."""
    copy = tmp_path / "source code"
    copy.mkdir()
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture
def tools(tmp_path):
    """A folder for PATH with the plain tools that install.sh may use and no Python; tests add interpreters to it."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("sh", "dirname", "tail", "rm", "rmdir", "git", "cat", "sleep"):
        (folder / name).symlink_to(shutil.which(name))
    return folder


@pytest.fixture
def installer(tmp_path, wheels, tools):
    """Runs install.sh into folders with blanks, quotes and letters beyond ASCII, with nothing on PATH but `tools`, in an empty home."""
    home = tmp_path / "home of nobody"
    home.mkdir()

    class Installer:
        """What was installed where, and how to run it."""

        prefix = tmp_path / "the 'préfix'"
        bin = tmp_path / 'the "$bin"'
        config = tmp_path / "the config"
        state = tmp_path / "the $(state) `x` \\"
        path = str(tools)

        def run(self, *options, source=ROOT, meanwhile=None):
            """The finished process; `meanwhile` is called again and again until it has ended."""
            places = [f"--{name}={getattr(self, name)}" for name in ("prefix", "bin", "config", "state")]
            environment = {"PATH": self.path, "HOME": str(home), "LC_ALL": "C.UTF-8"}
            command = [str(source / "install.sh"), *places, f"--wheels={wheels}", *options]
            with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
                done = subprocess.Popen(
                    command, env=environment, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=said, stderr=complained
                )
                while meanwhile is not None and done.poll() is None:
                    meanwhile()
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        done.wait(0.03)
                done.wait()
                texts = [file.seek(0) or file.read() for file in (said, complained)]
            return subprocess.CompletedProcess(command, done.returncode, *texts)

        def untouched_home(self):
            return list(home.iterdir()) == []

    return Installer()


@pytest.fixture
def python(tools):
    """This test run's interpreter, without its site-packages, on install.sh's PATH."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    target = f"{sys.base_prefix}/bin/{name}"
    (tools / name).write_text(f'#!/bin/sh\nexec {target} "$@"\n')
    (tools / name).chmod(0o755)
    return name


@pytest.fixture
def lame_python(tmp_path, tools):
    """Puts a real interpreter on PATH whose standard library lacks some files: its own bin folder, and a lib folder of links."""

    def make(*missing):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        folder = tmp_path / "lame"
        library = folder / "lib" / f"python{version}"
        library.mkdir(parents=True)
        (folder / "bin").mkdir()
        for entry in Path(sysconfig.get_path("stdlib")).iterdir():
            if entry.name in ("site-packages", "dist-packages", *missing):
                continue
            if any(name.startswith(entry.name + "/") for name in missing):
                shutil.copytree(entry, library / entry.name)
            else:
                (library / entry.name).symlink_to(entry)
        for name in missing:
            if "/" in name:
                shutil.rmtree(library / name)
        program = folder / "bin" / f"python{version}"
        shutil.copy2(os.path.realpath(f"{sys.base_prefix}/bin/python{version}"), program)
        command = tools / program.name
        command.write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
        command.chmod(0o755)

    return make
