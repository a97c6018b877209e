"""Which program a name means: never one of ours, never a version manager's stand-in, always an absolute path."""

from __future__ import annotations

import os

import pytest

from shims import generate, resolve


def program(path, text="#!/bin/sh\nexit 0\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def own(tmp_path):
    """Our folder of shims with a git in it."""
    program(tmp_path / "shims/git", f"#!/bin/sh\n# {generate.MARK}\n")
    return tmp_path / "shims"


def test_the_mark_is_the_generators():
    assert generate.MARK.encode() == resolve.MARK


def test_behind_our_own_folder_only(tmp_path, own):
    before, behind = program(tmp_path / "a/git"), program(tmp_path / "b/git")
    assert resolve.find("git", f"{tmp_path}/a:{own}:{tmp_path}/b", str(own)) == behind
    assert resolve.find("git", f"{tmp_path}/a:{tmp_path}/b", str(own)) == before
    assert resolve.find("git", f"{tmp_path}/a:{own}", str(own)) is None


def test_our_folder_by_another_name(tmp_path, own):
    (tmp_path / "link").symlink_to(own)
    real = program(tmp_path / "b/git")
    for spelled in (f"{tmp_path}/link", f"{own}/", f"{own}/../shims"):
        assert resolve.find("git", f"{spelled}:{tmp_path}/b", str(own)) == real


def test_another_generation_and_a_copy(tmp_path, own):
    program(tmp_path / "old/git", f"#!/bin/bash -p\n# gatepost shim git: {generate.MARK}\nexec false\n")
    (tmp_path / "linked").mkdir()
    os.link(own / "git", tmp_path / "linked/git")
    real = program(tmp_path / "b/git")
    assert resolve.find("git", f"{own}:{tmp_path}/old:{tmp_path}/linked:{tmp_path}/b", str(own)) == real


@pytest.mark.parametrize("entry", ["", ".", "bin", "~/bin"])
def test_entries_that_mean_another_folder_after_cd(tmp_path, own, monkeypatch, entry):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    program(tmp_path / "bin/git")
    program(tmp_path / "git")
    assert resolve.find("git", f"{own}:{entry}", str(own)) is None


MANAGERS = {
    "mise": ("mise", None),
    "asdf script": (".asdf/shims/git", '#!/usr/bin/env bash\nexec asdf exec git "$@"\n'),
    "asdf elsewhere": ("x/git", '#!/bin/sh\n# asdf-plugin: git\nexec /opt/asdf/bin/asdf exec "git" "$@"\n'),
    "pyenv": (".pyenv/shims/git", "#!/usr/bin/env bash\nexec pyenv exec git\n"),
    "pyenv elsewhere": ("y/git", '#!/usr/bin/env bash\nexec "/opt/pyenv/libexec/pyenv" exec "$program" "$@"\n'),
}


@pytest.mark.parametrize("kind", MANAGERS)
@pytest.mark.parametrize("front", [True, False])
def test_version_managers_are_passed_over(tmp_path, own, kind, front):
    name, text = MANAGERS[kind]
    if text is None:
        (tmp_path / "shims-of-mise").mkdir()
        program(tmp_path / "tools/mise")
        (tmp_path / "shims-of-mise/git").symlink_to(tmp_path / "tools/mise")
        folder = f"{tmp_path}/shims-of-mise"
    else:
        folder = os.path.dirname(program(tmp_path / name, text))
    real = program(tmp_path / "b/git")
    entries = [folder, f"{tmp_path}/b"] if front else [f"{tmp_path}/b", folder]
    assert resolve.find("git", ":".join([str(own), *entries]), str(own)) == real


def test_what_cannot_be_started(tmp_path, own):
    (tmp_path / "d/git").mkdir(parents=True)
    (tmp_path / "e").mkdir()
    (tmp_path / "e/git").symlink_to(tmp_path / "nowhere")
    (tmp_path / "f").mkdir()
    (tmp_path / "f/git").write_text("not executable")
    (tmp_path / "g").mkdir()
    (tmp_path / "g/git").symlink_to("git")
    path = ":".join(f"{tmp_path}/{name}" for name in "defg")
    assert resolve.find("git", f"{path}:/no/such", str(own)) is None
    assert resolve.find("git", f"a\0b:{path}", str(own)) is None
