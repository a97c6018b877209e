"""Puts a shell request to an installed hook, as Claude Code does."""

from __future__ import annotations

import json
import subprocess

from tests.guards.hook.payloads import payload


def asked(bin_folder, text, cwd="/", env=None):
    """What BIN/gatepost-hook has to say of a request: the answer for the host, {} for silence."""
    body = json.dumps(payload("claude", text, str(cwd)), separators=(",", ":"))
    done = subprocess.run(
        [f"{bin_folder}/gatepost-hook", "claude"], input=body, capture_output=True, text=True, env=env
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}


def word(bin_folder, text, cwd="/", env=None):
    """The same in a word: deny, ask, or pass (silence, or advice alone)."""
    return asked(bin_folder, text, cwd, env).get("permissionDecision", "pass")
