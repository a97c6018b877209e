"""The paths that are measured, and what design allows each to cost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

from measure import Command

PLAIN, DASH, TRUE = "python -I -S -c pass", "dash -c :", "true"
MESSAGE = "git commit -m \"$(cat <<'EOF'\nRewrite the parser\n\nnever git reset --hard\nEOF\n)\""
COMPOUND = "cd src && grep -rn 'import re' . | sort | head -20; echo \"$(git rev-parse HEAD)\""
FORTY = " && ".join(f"echo 'step {n}' > out{n}.txt" for n in range(40))
LINES = "\n".join(
    line.replace("N", str(number))
    for number, line in enumerate(
        (
            "set -euo pipefail",
            "# step N: prepare",
            'echo "step N of many" >&2',
            "if [ -f build/N.txt ]; then echo 'there is one'; fi",
            'name="part-N"',
            'python3 tools/make.py --number N --name "$name"',
            "mkdir -p build/N",
            'for part in a b; do cat "src/$part" | sort > build/N/$part; done',
        )
        * 25
    )
)


class Row:
    """One line of the table: a command, the floor it is compared with, the ratio that the design allows.

    `minus` names a command whose own cost is taken off first, `plus` one whose cost belongs to the floor. `reached` is the ratio that was
    measured when the row was last made cheaper: a check fails far beyond it, long before the design's ratio where that is far away.
    """

    def __init__(self, command, floor=PLAIN, budget=None, *, minus=None, plus=None, reached=None):
        self.command = command
        self.name = command.name.strip()
        self.floor = floor
        self.budget = budget
        self.minus = minus
        self.plus = plus
        self.limit = budget
        if reached and sys.version_info[:2] == REACHED_BY:
            self.limit = max(reached * MARGIN, min(budget, reached * FAR))

    @property
    def against(self):
        """The floor, in words."""
        return f"({self.floor} + {self.plus})" if self.plus else self.floor


MARGIN, FAR = 1.1, 1.25
"""What other machines of the kind and their neighbours may add: a tenth where the design's ratio is near, a quarter where it leaves room."""
REACHED_BY = (3, 11)
"""The interpreter that the reached ratios hold for; others start at another price and are held to the design's."""
REQUESTS = (
    # name, request, what the design allows against the bare interpreter, what was reached
    ("no rule can concern it: ls -la src", "ls -la src", 0.35, 0.1),
    ("no rule can concern it: git status --short", "git status --short", 0.35, 0.1),
    ("plain, a rule is looked at: pytest -q tests", "pytest -q tests", 1.5, 1.3),
    ("plain, the repository is asked: git push origin topic", "git push origin topic", 1.8, 1.65),
    ("plain, refused: git reset --hard", "git reset --hard", 1.8, 1.85),
    ("quotes, pipe, substitution", COMPOUND, 3.0, 2.05),
    ("commit message in a heredoc", MESSAGE, 3.0, 1.95),
    ("40 segments", FORTY, 4.0, 3.2),
    ("a script of 200 lines", LINES, 6.0, 5.7),
)

SHIMMED = (("rev-parse", "HEAD"), ("status",), ("fetch",))
"""Forms of git that a shim hands over. The plan allows them 0.8 ms, which is as much as `dash -c :` takes; they need an eighth of it."""


def payload(text, cwd):
    """What Claude Code sends for a shell request, byte for byte in its form."""
    return json.dumps(
        {
            "session_id": "c9fa8643-2f54-47a0-92f1-c27e6d63fd43",
            "transcript_path": "/home/dev/.claude/projects/-home-dev-work-app/c9fa8643-2f54-47a0-92f1-c27e6d63fd43.jsonl",
            "cwd": cwd,
            "prompt_id": "f993cb7c-9e8e-41b5-ace8-021672e46198",
            "permission_mode": "default",
            "effort": {"level": "medium"},
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": text, "description": "measured"},
            "tool_use_id": "toolu_measured",
        },
        separators=(",", ":"),
    ).encode()


def make_repository(folder):
    """A git repository with an uncommitted edit."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "Ada", f"GIT_{who}_EMAIL": "ada@example.org"}
    os.makedirs(folder + "/src")
    with open(folder + "/src/a.py", "w") as file:
        file.write("one = 1\n")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "first")):
        subprocess.run(("git", *words), cwd=folder, env=environment, check=True)
    with open(folder + "/src/a.py", "a") as file:
        file.write("two = 2\n")


def floors(layout):
    """What everything is compared with; they read nothing of their input, as little as the cheapest hook could."""
    return [
        Command(PLAIN, [layout.python, "-I", "-S", "-c", "pass"]),
        Command(DASH, [shutil.which("dash") or "/bin/sh", "-c", ":"]),
        Command(TRUE, [shutil.which("true")]),
    ]


def rows(layout, folder):
    """Every path of the hook, the shims and the limiter."""
    hook = [layout.bin + "/gatepost-hook", "claude"]
    made = [
        Row(Command(name, hook, payload(text, folder), folder), PLAIN, budget, reached=reached)
        for name, text, budget, reached in REQUESTS
    ]
    first = made[0].command
    made.insert(1, Row(Command(first.name + " ", hook, first.stdin, folder), DASH, 1.3))
    git, shim = shutil.which("git"), layout.prefix + "/shims/git"
    if os.path.exists(shim):
        for words in SHIMMED:
            name = " ".join(("git", *words))
            bare = Command(f"{name}, bare", [git, *words], cwd=folder)
            quick = Command(f"{name} through the shim", [shim, *words], cwd=folder)
            made += [Row(bare, DASH), Row(quick, DASH, 0.5, minus=bare.name)]
        asked = Command(
            "git -C . rev-parse HEAD, the shim asks Python", [shim, "-C", ".", "rev-parse", "HEAD"], cwd=folder
        )
        bare = f"git {' '.join(SHIMMED[0])}, bare"
        made.append(Row(asked, PLAIN, 1.5, minus=bare, reached=1.3))
    limited = [layout.bin + "/with-limits", "--memory", "1G", "--", "true"]
    made.append(
        Row(Command("with-limits --memory 1G -- true", limited, cwd=folder), PLAIN, 1.6, plus=TRUE, reached=1.6)
    )
    return made
