"""Taking the guard away leaves a home as it was: every file byte for byte, none of ours, no copy that nobody needs; and what changed since stays."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from guards.install import hosts
from guards.install.place import place

JSON = [
    "{}",
    "{}\n",
    '{"model": "x"}',
    '{"hooks": {}}\n',
    '{\r\n\t"model": "x",   "hooks": {"Other": [{"hooks": [{"type": "command", "command": "mine"}]}],\r\n\t"Last": []}\r\n}',
    '{\n    "hooks": {\n        "PreToolUse": [],\n        "BeforeTool": [{"hooks": [{"type": "command", "command": "mine"}]}]\n    }\n}\n',
]
TOML = ["", "# mine\nmodel = 1", 'model = "x"\n\n[a]\nb = 1\n', "\n\n# end\n\n"]
FORMER = {".json": JSON, ".toml": TOML}


def texts(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cases():
    for name in hosts.names():
        path = hosts.find(name).SCOPES["user"]
        own = "gatepost" in path or name == "cline"
        for text in [None, *(() if own else FORMER[os.path.splitext(path)[1]])]:
            yield name, text


@pytest.fixture
def where(layout, tmp_path):
    """`where(name, text)`: a host's registration in a home where its file holds a text."""

    def make(name, text):
        made = hosts.registration(name, layout, str(tmp_path), "user", {})
        os.makedirs(os.path.dirname(made.path), exist_ok=True)
        if text is not None:
            with open(made.path, "w", newline="") as file:
                file.write(text)
        return made

    return make


@pytest.mark.parametrize(("name", "text"), list(cases()))
def test_a_home_is_as_it_was(where, tmp_path, name, text):
    there = where(name, text)
    before = texts(tmp_path)
    for _ in range(2):
        there.install().make()
        there.install().make()
        assert there.present()
        there.uninstall().make()
        assert texts(tmp_path) == before
    assert there.uninstall().make() is None


@pytest.mark.parametrize("name", ["claude", "gemini", "cursor"])
def test_what_a_person_changed_since_stays_and_a_copy_is_kept(where, name):
    there = where(name, '{"model": "x"}')
    there.install().make()
    with open(there.path) as file:
        changed = file.read().replace('"x"', '"y"')
    with open(there.path, "w") as file:
        file.write(changed)
    copy = there.uninstall().make()
    with open(there.path) as file:
        after = json.load(file)
    assert after["model"] == "y"
    assert "gatepost" not in json.dumps(after).replace('"gatepost": {"PreToolUse": []}', "")
    with open(copy) as file:
        assert file.read() == changed


def test_a_file_of_ours_that_was_edited_is_kept_as_a_copy(where):
    there = where("opencode", None)
    there.install().make()
    with open(there.path, "a") as file:
        file.write("// mine\n")
    with open(there.uninstall().make()) as file:
        assert file.read().endswith("// mine\n")
    assert not os.path.exists(there.path)


@pytest.mark.parametrize("name", ["grok", "opencode", "claude"])
def test_folders_that_were_made_for_us_go_and_others_stay(layout, tmp_path, monkeypatch, name):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    there = hosts.registration(name, layout, str(tmp_path / "home"), "user", {})
    there.install().make()
    there.uninstall().make()
    assert list((tmp_path / "home").iterdir()) == []
    there.install().make()
    beside = os.path.join(os.path.dirname(there.path), "mine")
    open(beside, "w").close()
    there.uninstall().make()
    assert [path for path in (tmp_path / "home").rglob("*") if path.is_file()] == [Path(beside)]


@pytest.mark.parametrize(
    ("path", "environment", "expected"),
    [
        ("~/a/b", {}, "/home/ada/a/b"),
        ("${XDG:-~/.config}/b", {}, "/home/ada/.config/b"),
        ("${XDG:-~/.config}/b", {"XDG": ""}, "/home/ada/.config/b"),
        ("${XDG:-~/.config}/b", {"XDG": "/x y"}, "/x y/b"),
        ("/etc/b", {"XDG": "/x"}, "/etc/b"),
        ("a/b", {}, f"{os.getcwd()}/a/b"),
    ],
)
def test_places(path, environment, expected):
    assert place(path, "/home/ada", environment) == expected
