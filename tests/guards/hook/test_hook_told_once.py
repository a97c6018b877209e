"""A file of the person's that cannot be used: the next answer says so once, `check` and `doctor` every time, and the rest stays in force."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.guards.hook.payloads import raw

BROKEN = 'summary = "x"\nwhy = "y"\ndecision = "deny"\n[[match]]\nprogam = "frobnicate"\n'


def test_a_broken_rule_file_is_told_to_the_person(deployed_here, dirty_repo, git_env):
    layout = deployed_here
    path = Path(layout.config) / "rules/team/mine.toml"
    path.parent.mkdir(parents=True)
    path.write_text(BROKEN)

    def hook(text):
        made = subprocess.run(
            [f"{layout.bin}/gatepost-hook", "claude"],
            input=raw("claude", text, str(dirty_repo)),
            capture_output=True,
            env=git_env,
        )
        return json.loads(made.stdout or b"{}")

    first, second = hook("git reset --hard"), hook("git reset --hard")
    assert [one["hookSpecificOutput"]["permissionDecision"] for one in (first, second)] == ["deny", "deny"]
    assert f"not in force: {path}:5: match.0.progam: unknown key; did you mean 'program'?" in first["systemMessage"]
    assert "not in force" not in second.get("systemMessage", "")
    assert "progam" not in json.dumps(first["hookSpecificOutput"])

    checked = subprocess.run(
        [f"{layout.bin}/gatepost", "check", "ls"], capture_output=True, text=True, cwd=dirty_repo, env=git_env
    )
    assert checked.returncode == 2
    assert "progam" in checked.stderr
    told = [sys.executable, "-c", DOCTOR, json.dumps(tuple(layout)), git_env["HOME"]]
    checks = json.loads(subprocess.run(told, capture_output=True, text=True, check=True, env=git_env).stdout)
    assert any(level == "fail" and "progam" in text for level, text in checks)

    path.write_text(BROKEN.replace("progam", "program") + EXAMPLES)
    assert hook("frobnicate x")["hookSpecificOutput"]["permissionDecision"] == "deny"


EXAMPLES = '[[example]]\nrun = "frobnicate x"\nexpect = "deny"\n[[example]]\nrun = "ls"\nexpect = "pass"\n'
DOCTOR = f"""
import json, sys
sys.path[:0] = [{str(Path(__file__).resolve().parents[3])!r}]
from guards.install.checks import installation
from guards.install.doctor import Patient
from guards.layout import Layout
patient = Patient(Layout(*json.loads(sys.argv[1])), sys.argv[2], (), {{}})
print(json.dumps([(one.level, one.text) for one in installation.examine(patient)]))
"""
