"""Throwaway repositories, made by the real git with nothing of this machine's configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def git_programs() -> list[str]:
    """The system's git, and a newer one where it is found."""
    newer = Path(os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")) / "git"
    return [found for found in (shutil.which("git"), str(newer) if newer.exists() else None) if found]


@pytest.fixture(params=git_programs(), ids=lambda path: path.strip("/").replace("/", "-"))
def git_program(request) -> str:
    return request.param


class Sandbox:
    """A home with an environment of its own, and git in it."""

    def __init__(self, root: Path, program: str) -> None:
        self.home = root / "home"
        self.home.mkdir(parents=True)
        self.program = program
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{Path(program).parent}:{os.environ['PATH']}",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "dev",
            "GIT_AUTHOR_EMAIL": "dev@example.com",
            "GIT_COMMITTER_NAME": "dev",
            "GIT_COMMITTER_EMAIL": "dev@example.com",
            "GIT_EDITOR": "false",
            "LC_ALL": "C.UTF-8",
        }

    def git(self, *args: str, cwd: Path, check: bool = True, stdin: str | None = None) -> str:
        done = subprocess.run(
            [self.program, *args],
            cwd=cwd,
            env=self.environment,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            errors="surrogateescape",
        )
        assert not check or done.returncode == 0, (args, done.stderr)
        return done.stdout

    def init(self, name: str = "repo", *options: str) -> Path:
        at = self.home / name
        at.mkdir(parents=True)
        self.git("init", "-q", "-b", "main", *options, cwd=at)
        return at


@pytest.fixture
def sandbox(tmp_path, git_program) -> Sandbox:
    return Sandbox(tmp_path, git_program)


@pytest.fixture
def write():
    def put(root: Path, files: dict[str, str]) -> None:
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

    return put
