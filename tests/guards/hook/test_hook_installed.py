"""The installed hook, as a host starts it, with the shipped rules, in real repositories: what issue 2 must show."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from guards.install.probe import understood
from tests.guards.hook.payloads import raw

MESSAGE = "git commit -m \"$(cat <<'EOF'\nnever git reset --hard\nEOF\n)\""


@pytest.fixture
def ask(deployed, git_env):
    """Puts a payload to the installed hook; (word, reason)."""

    def put(payload, host="claude", home=git_env["HOME"]):
        made = subprocess.run(
            [f"{deployed.bin}/gatepost-hook", host],
            input=payload,
            capture_output=True,
            env={**git_env, "SHELL": "/bin/bash", "HOME": home},
            timeout=60,
        )
        answer = understood(made.returncode, made.stdout.decode(), made.stderr.decode())
        assert answer.word != "broken", made
        return answer

    return put


@pytest.fixture
def clean_repo(dirty_repo, git_env):
    for words in (["checkout", "-q", "--", "."], ["clean", "-fdxq"]):
        subprocess.run(["git", *words], cwd=dirty_repo, env=git_env, check=True)
    return dirty_repo


@pytest.fixture
def jj_repo(tmp_path, git_env):
    if shutil.which("jj", path=git_env["PATH"]) is None:
        pytest.skip("jj is not installed")
    repo = tmp_path / "jj repo"
    subprocess.run(["jj", "git", "init", "--colocate", str(repo)], env=git_env, check=True, capture_output=True)
    (repo / "a.txt").write_text("a\n")
    return repo


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize(
    ("text", "word", "rule"),
    [
        ("git reset --hard", "refused", "git/reset-hard"),
        ("cd src && env X=1 git reset --har", "refused", "git/reset-hard"),
        (MESSAGE, "passed", ""),
        ("ls -la", "passed", ""),
    ],
)
def test_in_a_dirty_repository(ask, dirty_repo, host, text, word, rule):  # noqa: PLR0917
    answer = ask(raw(host, text, str(dirty_repo)), host)
    assert answer.word == word
    assert answer.said.endswith(f"[{rule}]" if rule else "")


def test_the_first_denial_shows_the_way_on(ask, dirty_repo):
    said = ask(raw("claude", "git reset --hard", str(dirty_repo))).said
    assert "src/a.py" in said
    assert str(dirty_repo)[:20] in said
    assert "Run instead: `git stash push" in said
    assert "gatepost explain" in said
    assert said.endswith("[git/reset-hard]")
    for word in ("allow-once", "trust", "uninstall"):
        assert word not in said


def test_the_reset_on_a_clean_tree_passes(ask, clean_repo):
    assert ask(raw("claude", "git reset --hard", str(clean_repo))).word == "passed"


def test_a_git_write_in_a_jj_repository_names_the_jj_command(ask, jj_repo):
    answer = ask(raw("claude", "git commit -m x", str(jj_repo)))
    assert answer.word == "refused"
    assert "jj commit" in answer.said


def test_text_that_cannot_be_read_is_a_question(ask, dirty_repo):
    answer = ask(raw("claude", "echo $(", str(dirty_repo)))
    assert answer.word == "asked"
    assert answer.said.endswith("[shell/unparsed]")


def test_the_command_s_own_repository_is_judged_and_named(ask, dirty_repo, tmp_path):
    for text in (f"git -C {dirty_repo} reset --hard", f"cd {dirty_repo}; git reset --hard"):
        answer = ask(raw("claude", text, str(tmp_path)))
        assert answer.word == "refused"
        assert str(dirty_repo)[:20] in answer.said
    assert ask(raw("claude", f"cd {tmp_path} && git reset --hard", str(dirty_repo))).word == "passed"


@pytest.mark.parametrize("text", ["rm -rf ~/", "git reset --hard", "git push --force origin main"])
def test_what_cannot_be_undone_is_denied_and_not_asked(ask, dirty_repo, text):
    assert ask(raw("claude", text, str(dirty_repo))).word == "refused"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "{home}/.claude/settings.json", "content": "{{}}"}),
        ("Edit", {"file_path": "{home}/.claude/settings.json", "old_string": "PreToolUse", "new_string": "x"}),
        ("Read", {"file_path": "{home}/.ssh/id_ed25519"}),
        ("Grep", {"pattern": "x", "path": "{home}/.ssh/id_ed25519"}),
        ("Bash", {"command": "cat > ~/.claude/settings.json <<'E'\n{{}}\nE"}),
        ("Bash", {"command": "sed -i s/PreToolUse/x/ ~/.claude/settings.json"}),
        ("Bash", {"command": "cat ~/.ssh/id_ed25519"}),
    ],
)
def test_file_tools_are_under_the_same_rules_as_the_shell(ask, dirty_repo, tool, arguments):
    home = "/home/ada"  # a home below a temporary folder would hold nothing worth guarding
    given = {key: value.format(home=home) for key, value in arguments.items()}
    answer = ask(raw("claude", "", str(dirty_repo), tool_name=tool, tool_input=given), home=home)
    assert answer.word in ("refused", "asked")
    assert "[hook/" not in answer.said
    assert "[gatepost/" not in answer.said


def test_the_hook_needs_nothing_of_its_environment(deployed, dirty_repo):
    made = subprocess.run(
        [f"{deployed.bin}/gatepost-hook", "claude"],
        input=raw("claude", "git reset --hard", str(dirty_repo)),
        capture_output=True,
        env={},
        cwd="/",
        timeout=60,
    )
    assert understood(made.returncode, made.stdout.decode(), made.stderr.decode()).word == "refused"


MALFORMED = {
    "empty": lambda whole: b"",
    "blank": lambda whole: b"\n",
    "no JSON": lambda whole: b"git reset --hard",
    "cut off": lambda whole: whole[:-5],
    "a brace too many": lambda whole: whole + b"}",
    "two documents": lambda whole: whole + whole,
    "two lines": lambda whole: whole + b"\n\n{",
    "an array": lambda whole: b"[]",
    "NUL escape": lambda whole: whole.replace(b'"ls"', b'"l\\u0000s"'),
    "not UTF-8": lambda whole: whole.replace(b'"ls"', b'"l\xffs"'),
    "a number": lambda whole: whole.replace(b'"ls"', b"7"),
    "null": lambda whole: whole.replace(b'"ls"', b"null"),
    "too deep": lambda whole: b'{"tool_input":' * 5000,
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("host", ["claude", "codex", "copilot", "cursor"])
def test_malformed_input_is_asked_about_or_refused(ask, host, name):
    answer = ask(MALFORMED[name](raw(host, "ls")), host)
    assert answer.word in ("asked", "refused")
    assert "Traceback" not in answer.said
    assert answer.said


def test_an_unknown_host_is_refused(ask):
    answer = ask(raw("claude", "ls"), "no-such-host")
    assert answer.word == "refused"
    assert "no host is called 'no-such-host'" in answer.said


def test_nothing_judged_is_run_and_the_log_holds_it(ask, deployed, dirty_repo, git_env):
    before = sorted(os.listdir(dirty_repo / ".git"))
    ask(raw("claude", "API_TOKEN=hunter2hunter2 git reset --hard; touch ran.txt", str(dirty_repo)))
    assert not (dirty_repo / "ran.txt").exists()
    assert sorted(os.listdir(dirty_repo / ".git")) == before
    with open(f"{deployed.state}/log.jsonl", encoding="ascii") as file:
        entry = json.loads(file.readlines()[-1])
    assert entry["action"] == "deny"
    assert "hunter2" not in json.dumps(entry)
    assert entry["command"].endswith("git reset --hard; touch ran.txt")
