"""Settings that cannot be read, changed or written: each is told with its place and what mends it, and what stands there stays."""

from __future__ import annotations

import json
import os

import pytest
from registering import OTHERS, copies, run

from guards.install import hosts


def a_folder(path):
    path.mkdir()


def a_loop(path):
    path.symlink_to(path.name)


def a_pipe(path):
    os.mkfifo(path)


def a_file_above(path):
    path.parent.rmdir()
    path.parent.write_text("x")


SETTINGS_FILES = {"claude": ".claude/settings.json", "gemini": ".gemini/settings.json", "codex": ".codex/config.toml"}


@pytest.mark.parametrize("host", SETTINGS_FILES)
@pytest.mark.parametrize("stands", [a_folder, a_loop, a_pipe, a_file_above])
def test_what_is_no_settings_file_is_told_with_its_place(home, host, stands):
    path = home / SETTINGS_FILES[host]
    path.parent.mkdir(exist_ok=True)
    stands(path)
    for command in ("install", "uninstall"):
        said = run(command, host, ok=False)
        assert said.startswith(f"Error: {path}")
        assert "nothing was changed" in said


@pytest.mark.parametrize("host", ["gemini", "cursor", "droid", "crush", "windsurf", "qwen"])
@pytest.mark.parametrize(
    "hooks", [[], None, "x", {"BeforeTool": 1, "PreToolUse": 1, "beforeShellExecution": 1, "pre_run_command": 1}]
)
def test_hooks_of_the_wrong_kind_are_refused_with_the_file(home, host, hooks, layout):
    path = hosts.registration(host, layout, str(home), "user", {}).path
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"hooks": hooks}, file)
    said = run("install", host, ok=False)
    assert said.startswith(f"Error: {path}: `hooks")
    assert "Mend it" in said


def test_where_comments_are_not_known_the_entry_is_given_to_add_by_hand(settings):
    settings.write_text("{ // mine\n}")
    said = run("install", "claude", ok=False)
    assert json.loads(said[said.index("`: ") + 3 :])["hooks"][0]["args"] == ["claude"]


def test_a_folder_that_cannot_be_written_is_told_and_the_file_stands(settings, monkeypatch):
    settings.write_text(OTHERS)

    def full(*_words):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = run("install", "claude", ok=False)
    assert "no space left on device" in said
    assert settings.read_text() == OTHERS
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_two_copies_of_one_second_are_two(settings):
    settings.write_text("{}")
    run("install", "claude")
    settings.write_text('{"edited": 1}')
    run("install", "claude")
    assert {copy.read_text() for copy in copies(settings)} == {"{}", '{"edited": 1}'}


@pytest.mark.parametrize("home_is", ["", "here"])
def test_a_home_that_is_no_place_is_refused(monkeypatch, home, home_is):
    monkeypatch.setenv("HOME", home_is)
    assert "HOME" in run("install", "claude", ok=False)
