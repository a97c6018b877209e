"""Try the installed hook as a host would: the launcher itself, a payload on stdin, its answer read as the host reads it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any

from guards.install.payloads import payload
from guards.install.registration import PROGRAM
from policy.record import Record

if TYPE_CHECKING:
    from guards.layout import Layout

REFUSED = "rm -rf /"
PASSED = "ls -la"
PATIENCE = 15


class Answer(Record):
    """`word` is refused, asked, passed or broken; `said` what came with it."""

    word: str
    said: str


def ask(layout: Layout, host: str, command: str) -> Answer:
    """The hook's answer to a command in an empty folder. Only judged: nothing runs the command."""
    with tempfile.TemporaryDirectory(prefix="gatepost-doctor-") as folder:
        try:
            made = subprocess.run(
                [f"{layout.bin}/{PROGRAM}", host],
                input=json.dumps(payload(host, command, folder), separators=(",", ":")).encode() + b"\n",
                capture_output=True,
                env={"PATH": os.defpath, "HOME": folder},
                timeout=PATIENCE,
                check=False,
            )
        except OSError as error:
            return Answer("broken", f"it cannot be started: {error.strerror}")
        except subprocess.TimeoutExpired:
            return Answer("broken", f"no answer within {PATIENCE} seconds")
    return understood(made.returncode, made.stdout.decode(errors="replace"), made.stderr.decode(errors="replace"))


def understood(status: int, stdout: str, stderr: str) -> Answer:
    """What an exit status and an output mean to the hosts that we answer."""
    if status == 2 and not stdout:
        return Answer("refused", stderr.strip())
    if status != 0:
        return Answer("broken", f"exit status {status}: {stderr.strip()[:200]}")
    if not stdout.strip():
        return Answer("passed", "")
    try:
        answer = json.loads(stdout)
    except ValueError:
        return Answer("broken", f"no single JSON document: {stdout[:200]!r}")
    return _decided(answer if isinstance(answer, dict) else {})


def _decided(answer: dict[str, Any]) -> Answer:
    inner = answer.get("hookSpecificOutput", answer)
    said = next((str(inner[key]) for key in REASONS if inner.get(key)), "")
    word = inner.get("permissionDecision") or inner.get("decision") or inner.get("permission")
    if word == "deny" or inner.get("cancel") is True or "deny" in inner:
        return Answer("refused", said)
    return Answer("asked" if word in ("ask", "force_ask") else "passed", said)


REASONS = ("permissionDecisionReason", "reason", "user_message", "errorMessage", "deny")
"""Where hosts look for the reason."""
