"""A file of ours is read only when nobody else could have written or may read it."""

import os

import pytest

from guards import private


def made(tmp_path, content=b"ours"):
    path = tmp_path / "kept"
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_what_is_ours_alone_is_read(tmp_path):
    assert private.content(str(made(tmp_path)), 4) == b"ours"


def open_to_a_group(path):
    path.chmod(0o640)


def a_link(path):
    path.rename(f"{path}.real")
    path.symlink_to(f"{path}.real")


def a_folder(path):
    path.unlink()
    path.mkdir(0o700)


def a_pipe(path):
    path.unlink()
    os.mkfifo(path, 0o600)


def too_long(path):
    path.write_bytes(b"longer")


def gone(path):
    path.unlink()


@pytest.mark.parametrize("harm", [open_to_a_group, a_link, a_folder, a_pipe, too_long, gone])
def test_everything_else_is_nothing(tmp_path, harm):
    path = made(tmp_path)
    harm(path)
    assert private.content(str(path), 4) is None


def test_another_user_s_file_is_nothing(tmp_path, monkeypatch):
    path = made(tmp_path)
    monkeypatch.setattr(private.posix, "geteuid", lambda: os.geteuid() + 1)
    assert private.content(str(path), 4) is None
