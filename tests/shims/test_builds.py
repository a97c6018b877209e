"""npm ci, uv sync and pip with dependencies from git repositories: through the shims the same as without, and untouched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.shims.places import first

BACKEND = """
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "dep-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("dep.py", "answer = 42\\n")
        wheel.writestr("dep-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: dep\\nVersion: 1\\n")
        wheel.writestr("dep-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: here\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("dep-1.dist-info/RECORD", "")
    return name
"""


@pytest.fixture
def dependency(tmp_path, git_env):
    """A repository that pip, uv and npm can build without a network."""
    folder = tmp_path / "dependency"
    (folder / "own").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "dep"\nversion = "1"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["own"]\n'
    )
    (folder / "own/backend.py").write_text(BACKEND)
    (folder / "package.json").write_text('{"name": "dep", "version": "1.0.0"}')
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run(["git", *words], cwd=folder, env=git_env, check=True)
    return folder


@pytest.fixture
def both(place, tmp_path):
    """Run a command in an empty folder without and with shims; the folders that come of it."""
    if subprocess.run(["git", "submodule"], cwd=place.pristine, env=place.environment, capture_output=True).returncode:
        pytest.skip("this git has no submodule command, which npm and uv use")

    def run(argv, files, **more):
        made = []
        for name, front in (("bare", None), ("shimmed", place.shims)):
            folder = tmp_path / name
            folder.mkdir()
            for path, text in files.items():
                (folder / path).write_text(text)
            environment = {**place.environment, "HOME": f"{tmp_path}/{name}-home", **more}
            os.mkdir(environment["HOME"])
            done = subprocess.run(
                argv,
                cwd=folder,
                env=first(front, environment) if front else environment,
                capture_output=True,
                timeout=300,
            )
            assert done.returncode == 0, done.stderr.decode()[-2000:]
            made.append(folder)
        return made

    return run


@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm on this machine")
def test_npm(both, dependency):
    package = json.dumps({"name": "app", "version": "1.0.0", "dependencies": {"dep": f"git+file://{dependency}"}})
    script = "npm install --silent --no-audit --no-fund && rm -rf node_modules && npm ci --silent --no-audit --no-fund"
    for folder in both(["sh", "-c", script], {"package.json": package}, npm_config_offline="true"):
        assert (folder / "node_modules/dep/package.json").is_file()


@pytest.mark.skipif(shutil.which("uv") is None, reason="no uv on this machine")
def test_uv(both, dependency):
    project = f'[project]\nname = "app"\nversion = "0"\nrequires-python = ">=3.9"\ndependencies = ["dep @ git+file://{dependency}"]\n'
    found = both(
        ["uv", "sync", "--quiet", "--offline"],
        {"pyproject.toml": project},
        UV_PYTHON_DOWNLOADS="never",
        UV_PYTHON=sys.executable,
    )
    assert all(list(folder.glob(".venv/lib/*/site-packages/dep.py")) for folder in found)
    assert (found[0] / "uv.lock").read_bytes() == (found[1] / "uv.lock").read_bytes()


def test_pip(both, dependency):
    argv = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        "lib",
        f"git+file://{dependency}",
    ]
    for folder in both(argv, {}, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_CONFIG_FILE="/dev/null"):
        assert (folder / "lib/dep.py").read_text() == "answer = 42\n"
