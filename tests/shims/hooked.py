"""A hook with a front of its own table, whose Python only shows what reached it."""

import json
import os
import subprocess

import pytest

from guards.install import deploy
from guards.layout import Layout
from shims import front, generate, hook_program
from shims.skip import Form, Table

PYTHON = "#!/bin/sh\nprintf 'python '\ncat <&3\ncat\n"
TABLE = Table(
    (Form("cat", "", (), ("*.env*",)), Form("git", "stash list", ()), Form("git", "status", ("--o*", "-o*", "x[!a-c]?")), Form("ls", "", ())),
    (".", "git", "ls", "python", "rm"),
    Form("", "", ("*prod*",)),
)  # fmt: skip
CLAUDE = {
    "session_id": "5e6f",
    "transcript_path": "/home/dev/.claude/x.jsonl",
    "cwd": "/nowhere/app",
    "prompt_id": "f9",
    "permission_mode": "default",
    "effort": {"level": "medium"},
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls -la", "description": "list files"},
    "tool_use_id": "toolu_1",
}


class Hook:
    """Writes the program and runs it."""

    def __init__(self, layout: Layout, kind: str):
        deploy.folders(layout)
        self.layout = layout = layout.replace(python=layout.prefix + "/python")
        generate.put(layout.python, PYTHON, 0o755)
        generate.write_entries(layout)
        os.mkdir(layout.config)
        self.kind = kind
        self.config = layout.config + "/config.toml"
        self.absent = layout.config + "/rules"
        self.since = layout.compiled + "/since"
        for path in (self.config, layout.compiled + "/policy"):
            generate.put(path, "")
            os.utime(path, (1, 1))
        generate.put(self.since, "")
        own, counter = generate.hook_path(layout), layout.state + "/silent"
        watched = front.Watched((self.config,), (self.absent,), self.since, layout.compiled + "/policy")
        answers = {"claude": generate.Answer("broken", "", 0)}
        if kind == "program":
            if not hook_program.write(layout, answers, (TABLE, watched, counter)):
                pytest.skip("no C compiler")
        else:
            self.table = front.write_table(TABLE, layout.compiled)
            generate.write_hook(layout, answers, front.front(self.table, watched, own, counter))

    def run(self, payload, host="claude", **environment):
        raw = payload if isinstance(payload, bytes) else payload.encode()
        command = [generate.hook_path(self.layout), host]
        done = subprocess.run(command, input=raw, capture_output=True, env={**os.environ, **environment})
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return done.stdout

    def silent(self, payload, host="claude", **environment):
        """Whether the front answered; when it did not, all of the payload must have reached Python."""
        said = self.run(payload, host, **environment)
        raw = payload if isinstance(payload, bytes) else payload.encode()
        reached = raw.replace(b"\0", b"") if self.kind == "script" else raw
        assert said == b"" or said.removeprefix(b"python ").rstrip(b"\n") == reached.rstrip(b"\n")
        return said == b""


def compact(payload=None, /, **changes):
    return json.dumps({**(payload or CLAUDE), **changes}, separators=(",", ":"))


def command(text, **more):
    return compact(tool_input={"command": text, **more})
