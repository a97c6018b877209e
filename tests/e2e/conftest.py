"""Real agent clients, each in a home of its own, against our own model server; the clients come from npm into a cache folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from guards.install import hosts
from guards.install.model_server import ModelServer

NO_ANSWER = ("ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "E503", "E502", "E504")
"""npm's names for a registry that does not answer; anything else that npm reports is a failure of the test."""
_unanswered: list[str] = []


def pytest_terminal_summary(terminalreporter):
    """Say loudly what the end of the run would else hide."""
    for package in dict.fromkeys(_unanswered):
        terminalreporter.write_sep(
            "!", f"END-TO-END TESTS DID NOT RUN: the npm registry did not answer for {package}", red=True
        )


def cache_folder():
    """Outside the repository, kept from run to run."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gatepost-e2e"


def client(package, version, program):
    """The path of a client's program, installed when it is not there yet. Skips when the registry does not answer, else fails."""
    folder = cache_folder() / f"{package.replace('/', '-').lstrip('@')}-{version}"
    found = folder / "node_modules/.bin" / program
    if not found.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), f"{package}@{version}"]
        made = subprocess.run(npm, capture_output=True, text=True, timeout=900)
        if made.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            if any(name in made.stderr for name in NO_ANSWER):
                _unanswered.append(package)
                pytest.skip(f"the npm registry did not answer for {package}")
            pytest.fail(f"npm install {package}@{version}: {made.stderr[-2000:]}")
    return str(found)


class Agent:
    """An agent client with our installation in front of it. `ask` runs it once and gives the results that its model was told."""

    host = ""
    extra_words = ()

    def __init__(self, program, layout, home, repository, environment):
        self.program = program
        self.layout = layout
        self.home = home
        self.repository = repository
        self.environment = environment

    def gatepost(self, *words, status=0):
        made = subprocess.run(
            [f"{self.layout.bin}/gatepost", *words],
            env=self.environment,
            cwd=self.repository,
            capture_output=True,
            text=True,
        )
        assert made.returncode == status, made.stderr + made.stdout
        return made.stdout

    def ask(self, *commands):
        with ModelServer(commands) as server:
            words, extra = hosts.find(self.host).headless(self.program, server.url)
            made = subprocess.run(
                [*words, *self.extra_words],
                env={**self.environment, **extra},
                cwd=self.repository,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=180,
            )
        assert len(server.results) == len(commands), f"{made.returncode}: {made.stdout[-2000:]}{made.stderr[-2000:]}"
        return server.results


@pytest.fixture
def agent_environment(git_env, tmp_path):
    """No variable of ours or of the developer's session; a fresh home."""
    kept = {name: git_env[name] for name in ("HOME", "PATH", "LANG", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL")}
    return {**kept, "SHELL": "/bin/bash", "TMPDIR": str(tmp_path), "IS_SANDBOX": "1"}
