"""A rule that is added, edited in place or removed is known to the next call of the hook, the shell front included."""

import json
import subprocess

RULE = """
summary = "frobnicates"
why = "it is not wanted"
decision = "{0}"
[[match]]
program = "frobnicate"
[[example]]
run = "frobnicate all"
expect = "{0}"
[[example]]
run = "other"
expect = "pass"
"""


def answer(layout, text):
    body = {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    raw = json.dumps(body, separators=(",", ":"))
    done = subprocess.run([f"{layout.bin}/gatepost-hook", "claude"], input=raw, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] if done.stdout else "silence"


def test_the_next_call_knows_a_rule_that_was_added_edited_or_removed(deployed_here, tmp_path):
    assert answer(deployed_here, "frobnicate all") == "silence"
    rule = tmp_path / "gate post/config/rules/mine/no-frobnicating.toml"
    rule.parent.mkdir(parents=True)
    rule.write_text(RULE.format("deny"))
    assert answer(deployed_here, "frobnicate all") == "deny"
    assert answer(deployed_here, "ls") == "silence"
    rule.write_text(RULE.format("ask"))
    assert answer(deployed_here, "frobnicate all") == "ask"
    rule.unlink()
    assert answer(deployed_here, "frobnicate all") == "silence"
