"""uv: programs of the project and tools run under limits, once however nested; everything else is uv itself."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from guards.shim.uv import runs_a_program
from tests.shims.places import NEWER

SPLIT = [
    ("uv", "run x", True),
    ("uv", "-q run x", True),
    ("uv", "--offline run pytest -q", True),
    ("uv", "--directory d run x", True),
    ("uv", "--directory=d --color never run x", True),
    ("uv", "tool run ruff", True),
    ("uvx", "ruff check", True),
    ("uvx", "--from x y", True),
    ("uv", "run --help", False),
    ("uv", "run", False),
    ("uv", "--help run", False),
    ("uv", "tool install x", False),
    ("uv", "tool run --help", False),
    ("uv", "sync", False),
    ("uv", "--project run sync", False),
    ("uv", "pip list", False),
    ("uv", "ru x", False),
    ("uv", "", False),
    ("uvx", "--version", False),
    ("uvx", "", False),
]


@pytest.mark.parametrize(("program", "text", "wanted"), SPLIT)
def test_what_runs_a_program(program, text, wanted):
    assert runs_a_program(program, text.split()) is wanted


needs_uv = pytest.mark.skipif(shutil.which("uv", path=NEWER) is None, reason="no uv on this machine")


@pytest.fixture
def project(tmp_path, bare):
    """A project without dependencies, in which `uv run` needs no network."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "p"\nversion = "0"\nrequires-python = ">=3.9"\n')
    (folder / "lines.py").write_text("import os, sys\nprint(sys.argv[1:], bool(os.environ.get('WITH_LIMITS_ID')))\n")
    bare.update(UV_OFFLINE="1", UV_CACHE_DIR=str(tmp_path / "cache"), UV_PYTHON_DOWNLOADS="never")
    return folder


def run(argv, environment, folder):
    return subprocess.run(argv, env=environment, cwd=folder, capture_output=True, timeout=120)


def timeless(said):
    """What uv says, without how long it took."""
    return re.sub(rb"\d+(\.\d+)?m?s\b", b"", said)


@needs_uv
@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["run", "--help"],
        ["pip", "list", "--help"],
        ["nosuch"],
        ["lock"],
        ["tree"],
        ["tool", "list"],
        ["cache", "dir"],
        ["run", "--no-project", "nosuch-program"],
    ],
    ids=" ".join,
)
def test_the_same_with_and_without(project, bare, shimmed, words):
    shimmed.update(bare, PATH=shimmed["PATH"])
    plain, through = (run(["uv", *words], environment, project) for environment in (bare, shimmed))
    assert (through.returncode, through.stdout) == (plain.returncode, plain.stdout)
    assert timeless(through.stderr) == timeless(plain.stderr)


@needs_uv
def test_a_run_is_limited_and_its_answer_its_own(project, bare, shimmed):
    shimmed.update(bare, PATH=shimmed["PATH"])
    done = run(["uv", "run", "--no-project", "python", "lines.py", "a b", ""], shimmed, project)
    assert done.stdout == b"['a b', ''] True\n", done.stderr
    done = run(["uv", "run", "--no-project", "python", "-c", "raise SystemExit(7)"], shimmed, project)
    assert done.returncode == 7


@needs_uv
def test_once_however_nested(project, bare, shimmed):
    shimmed.update(bare, PATH=shimmed["PATH"])
    inner = "import subprocess,os; print(os.environ['WITH_LIMITS_ID'], flush=True); subprocess.run(['uv','run','--no-project','python','-c','import os; print(os.environ[\"WITH_LIMITS_ID\"])'])"
    done = run(["uv", "run", "--no-project", "python", "-c", inner], shimmed, project)
    outer, nested = done.stdout.split()
    assert outer == nested, done.stderr
    forged = {**shimmed, "WITH_LIMITS_ID": "1-1"}
    assert run(["uv", "run", "--no-project", "python", "lines.py"], forged, project).stdout == b"[] True\n"


@needs_uv
def test_a_script_that_starts_itself_with_uv_is_stopped(project, bare, shimmed):
    shimmed.update(bare, PATH=shimmed["PATH"])
    script = project / "again"
    script.write_text("#!/usr/bin/env -S uv run --no-project\n")
    script.chmod(0o755)
    done = run([str(script)], shimmed, project)
    assert done.returncode != 0
    assert b"recurs" in done.stderr.lower()
