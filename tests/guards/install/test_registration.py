"""Installing touches other people's safety: append, back up, change nothing else, twice is once, take out only what is ours."""

from __future__ import annotations

import json
import os
import shlex
import tomllib

import pytest
from registering import OTHERS, copies, run

from guards.install import claude
from guards.install.change import Change, Conflict
from guards.install.leftover import registered
from guards.install.registration import BEGIN, OwnFile, TomlBlock, is_ours


def test_a_fresh_home_gets_a_settings_file_with_a_hook_that_blocks_when_it_fails(settings, layout):
    run("install", "claude")
    (group,) = json.loads(settings.read_text())["hooks"]["PreToolUse"]
    (hook,) = group["hooks"]
    assert hook == {
        "type": "command",
        "command": f"{layout.bin}/gatepost-hook",
        "args": ["claude"],
        "timeout": 30,
        "onFailure": "block",
    }
    assert {"Bash", "PowerShell", "Write", "Edit", "Read"} <= set(group["matcher"].split("|"))
    assert settings.stat().st_mode & 0o077 == 0


def test_other_entries_stay_byte_for_byte_and_a_dated_copy_is_left(settings):
    settings.write_text(OTHERS)
    settings.chmod(0o640)
    run("install", "claude")
    after = settings.read_text()
    assert is_ours(json.loads(after)["hooks"]["PreToolUse"][1])
    start = after.index(',\n      {\n        "matcher"')
    assert OTHERS.startswith(after[:start])
    assert OTHERS.endswith(after[after.index('\n    ],\n    "SessionStart"') :])
    assert [copy.read_text() for copy in copies(settings)] == [OTHERS]
    assert settings.stat().st_mode & 0o777 == 0o640


def test_twice_is_once_and_an_upgrade_replaces_ours_alone(settings, layout):
    settings.write_text(OTHERS)
    run("install", "claude")
    once = settings.read_text()
    run("install", "claude")
    assert settings.read_text() == once
    settings.write_text(once.replace('"timeout": 30', '"timeout": 3').replace(layout.bin, "/old place/bin"))
    run("install", "claude")
    assert settings.read_text() == once


def test_uninstall_takes_ours_and_gives_the_bytes_back(settings):
    settings.write_text(OTHERS)
    run("install", "claude")
    run("uninstall", "claude")
    assert settings.read_text() == OTHERS
    assert "nothing of ours" in run("uninstall", "claude")


def test_uninstall_keeps_the_event_and_what_shares_an_entry_with_us(settings, layout):
    mixed = json.loads(OTHERS)
    mixed["hooks"]["PreToolUse"][0]["hooks"].append(
        {"type": "command", "command": f"'{layout.bin}/gatepost-hook' claude"}
    )
    settings.write_text(json.dumps(mixed, indent=2))
    run("uninstall", "claude")
    assert json.loads(settings.read_text()) == json.loads(OTHERS)
    settings.write_text("{}")
    run("install", "claude")
    settings.write_text(settings.read_text().replace('"hooks"', '"model": "opus", "hooks"', 1))
    run("uninstall", "claude")
    assert json.loads(settings.read_text()) == {"model": "opus", "hooks": {"PreToolUse": []}}


def test_dry_run_prints_the_exact_diff_and_changes_nothing(settings):
    settings.write_text(OTHERS)
    shown = run("install", "claude", "--dry-run")
    assert settings.read_text() == OTHERS
    assert copies(settings) == []
    removed = [line for line in shown.splitlines() if line.startswith("-") and not line.startswith("---")]
    added = [line for line in shown.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert removed == ['-      {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/other.sh"}]}']
    assert any('"onFailure": "block"' in line for line in added)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('// mine\n{"hooks": {}}', "line 1, column 1"),
        ('{"a": 1,}', "line 1"),
        ("[]", "no JSON object"),
        ('{"hooks": []}', "`hooks` is no object"),
        ('{"hooks": {"PreToolUse": {}}}', "`hooks.PreToolUse` is no list"),
        ('{"hooks": {"Stop": [{"command": "x"}]}}', "`hooks.Stop[0]` is no valid entry"),
        ('{"disableAllHooks": true}', "disableAllHooks"),
    ],
)
def test_a_file_that_the_host_or_we_could_not_read_is_refused_and_left(settings, text, says):
    settings.write_text(text)
    shown = run("install", "claude", ok=False)
    assert says in shown
    assert "nothing was changed" in shown
    assert settings.read_text() == text


def test_a_symbolic_link_stays_one(settings, tmp_path):
    real = tmp_path / "dotfiles.json"
    real.write_text(OTHERS)
    settings.symlink_to(real)
    run("install", "claude")
    assert settings.is_symlink()
    assert "gatepost-hook" in real.read_text()


def test_a_file_changed_in_the_meantime_is_not_overwritten(tmp_path):
    path = tmp_path / "x"
    path.write_text("new")
    with pytest.raises(Conflict, match="meantime"):
        Change(str(path), "old", "ours").make()
    assert path.read_text() == "new"


def test_claude_config_dir_and_the_scopes(home, settings, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "cc"))
    run("install", "claude")
    assert (tmp_path / "cc/settings.json").exists()
    assert not settings.exists()
    monkeypatch.chdir(tmp_path)
    run("install", "claude", "--scope", "project")
    assert (tmp_path / ".claude/settings.json").exists()
    run("install", "claude", "--scope", "moon", ok=False)


def test_the_entry_is_known_by_its_program_in_any_quoting():
    for command in (
        "/a/gatepost-hook",
        "/a/gatepost-hook claude",
        shlex.quote("/a b/$x/gatepost-hook") + " codex",
        "env X=1 /a/gatepost-hook x",
    ):
        assert is_ours({"hooks": [{"command": command}]})
    for command in ("/a/gatepost-hook-other", "/a/gatepost", "echo gatepost-hooks"):
        assert not is_ours({"hooks": [{"command": command}]})


def test_a_toml_block_is_added_replaced_and_removed(tmp_path):
    path = tmp_path / "config.toml"
    before = 'model = "x"\n[a]\nb = 1\n'
    path.write_text(before)
    TomlBlock(str(path), "[[hooks.PreToolUse]]\nn = 1\n").install().make()
    assert tomllib.loads(path.read_text())["hooks"] == {"PreToolUse": [{"n": 1}]}
    block = TomlBlock(str(path), "[[hooks.PreToolUse]]\nn = 2\n")
    assert not block.present()
    block.install().make()
    assert block.present()
    assert path.read_text().count(BEGIN.format(name="gatepost")) == 1
    again = block.install()
    assert again.before == again.after
    path.write_text(path.read_text() + "[z]\n")
    block.uninstall().make()
    assert path.read_text() == before + "[z]\n"


@pytest.mark.parametrize("text", ['hooks = "no table"\n', "broken = \n", BEGIN.format(name="gatepost") + "\n[x]\n"])
def test_a_toml_file_that_would_not_parse_afterwards_is_left(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Conflict):
        TomlBlock(str(path), "[[hooks.PreToolUse]]\nn = 1\n").install()


def test_a_file_of_our_own_never_replaces_another(tmp_path):
    path = tmp_path / "plugins/gatepost.js"
    (tmp_path / "other").touch()
    own = OwnFile(str(path), "// gatepost-hook\n")
    own.install().make()
    assert own.present()
    own.uninstall().make()
    assert not path.exists()
    path.parent.mkdir(exist_ok=True)
    path.write_text("// mine")
    with pytest.raises(Conflict, match="not ours"):
        own.install()
    assert own.uninstall().after == "// mine"
    assert os.listdir(path.parent) != []


def test_the_matcher_names_every_tool_that_the_hook_judges(layout):
    group = claude.entry(layout)
    assert set(group["matcher"].split("|")) == {*claude.SHELL_TOOLS, *claude.FILE_TOOLS}


def test_a_host_that_would_call_a_removed_hook_is_found(home, settings, layout):
    assert list(registered(layout, str(home), {})) == []
    run("install", "claude")
    assert list(registered(layout, str(home), {})) == [("claude", "user", str(settings))]
    settings.write_bytes(b"\xff")
    assert list(registered(layout, str(home), {})) == []
