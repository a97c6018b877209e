"""How the tests of registrations call the command line, and a settings file of somebody who had hooks before us."""

from __future__ import annotations

from click.testing import CliRunner

from guards.cli.main import main

OTHERS = """{
  "model": "opus",
  "mcpServers": {"db": {"command": "npx", "args": ["-y", "db"]}},
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/other.sh"}]}
    ],
    "SessionStart": [{"hooks": [{"type": "command", "command": "hello"}]}]
  },
  "enabledPlugins": {"x@y": true}
}
"""


def run(*words, ok=True):
    result = CliRunner().invoke(main, list(words))
    assert (result.exit_code == 0) is ok, result.output
    return result.output


def copies(settings):
    return sorted(settings.parent.glob("settings.json.gatepost-*.bak"))
