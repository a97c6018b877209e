"""All modules of a start in one file: used when it is as new as its sources, passed over when it is not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

deploy = pytest.importorskip("guards.install.deploy", reason="only with the whole distribution")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def run(layout, tmp_path):
    """Runs the entry file of an installation whose sources are a copy; the sources that Python read itself."""
    copy = tmp_path / "code"
    for name in ("policy", "guards"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    layout = layout.replace(modules=(str(copy), *layout.modules[1:]))
    deploy.folders(layout)
    deploy.launchers(layout)
    deploy.bundle_limiter(layout)

    def run(*words):
        command = [sys.executable, "-I", "-S", "-B", "-v", f"{layout.compiled}/limits.py", *words]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        assert done.returncode == 3, done.stderr
        return {line.split()[-1] for line in done.stderr.splitlines() if f"code object from '{copy}" in line}

    run.copy = copy
    return run


@pytest.mark.parametrize("backend", [(), ("--backend", "proc")], ids=["chosen", "proc"])
def test_modules_come_from_it(run, backend):
    assert run(*backend, "--memory", "1GiB", "--report", "-c", "sleep 1.2; exit 3") == set()
    assert run(*backend, "--wait=5s", "-c", "exit 3") == set()


def test_nothing_comes_from_it_once_a_source_differs(run):
    os.utime(run.copy / "policy/record.py")
    assert len(run("--backend", "proc", "-c", "exit 3")) > 20
