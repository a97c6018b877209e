"""A home with Claude Code's folder in it, for which this installation is the one that the command line finds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from guards import layout as places

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def home(tmp_path, monkeypatch, layout):
    folder = tmp_path / "home of Ada"
    (folder / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(places, "_baked", [layout])
    return folder


@pytest.fixture
def settings(home):
    return home / ".claude/settings.json"
