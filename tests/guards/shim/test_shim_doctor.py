"""The doctor's eye on shims."""

from __future__ import annotations

import os

import pytest

from guards.shim.doctor import findings
from shims import generate_shims


@pytest.fixture
def made(installed, tmp_path):
    """Shims for a git of the test's own."""
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    layout = installed.replace(prefix=f"{tmp_path}/made", compiled=f"{tmp_path}/compiled")
    os.mkdir(layout.compiled)
    os.link(generate_shims.stamp(installed), generate_shims.stamp(layout))
    generate_shims.write(layout, path=f"{tmp_path}/bin:/usr/bin:/bin")
    return layout


def told(layout, path, **environment):
    return [(level, text) for level, text, _ in findings(layout, {"PATH": path, **environment})]


def test_health_has_nothing_to_tell(made, tmp_path):
    assert told(made, f"{tmp_path}/bin:/usr/bin:/bin") == []


def test_a_program_that_moved_and_one_that_is_gone(made, tmp_path):
    assert any("PATH now means /usr/bin/git" in text for _, text in told(made, "/usr/bin:/bin"))
    os.unlink(tmp_path / "bin/git")
    assert any("is gone" in text for _, text in told(made, f"{tmp_path}/bin:/usr/bin:/bin"))


def test_a_literal_tilde(made, tmp_path):
    assert any("tilde" in text for _, text in told(made, f"~/bin:{tmp_path}/bin:/usr/bin:/bin"))


def test_an_ordinary_shell(made, tmp_path):
    path = f"{made.prefix}/shims:{tmp_path}/bin:/usr/bin:/bin"
    assert any("ordinary shell" in text for _, text in told(made, path))
    assert told(made, path, GATEPOST_SESSION="x") == []


def test_a_version_manager(made, tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/mise").write_text("#!/bin/sh\n")
    (tmp_path / "tools/mise").chmod(0o755)
    (tmp_path / "mise").mkdir()
    (tmp_path / "mise/git").symlink_to(tmp_path / "tools/mise")
    assert [
        level
        for level, text in told(made, f"{tmp_path}/mise:{tmp_path}/bin:/usr/bin:/bin")
        if "version manager" in text
    ] == ["note"]


def test_stale(made, tmp_path):
    later = os.stat(made.prefix + "/shims/git").st_mtime + 10
    os.utime(generate_shims.stamp(made), (later, later))
    assert any("older than the compiled rules" in text for _, text in told(made, f"{tmp_path}/bin:/usr/bin:/bin"))


def test_a_jj_that_is_newer_than_the_rules(made, tmp_path):
    jj = tmp_path / "bin/jj"
    jj.write_text("#!/bin/sh\nprintf '## `jj frobnicate`\\n\\n* `--loud` — Loud\\n'\n")
    jj.chmod(0o755)
    path = f"{tmp_path}/bin:/usr/bin:/bin"
    assert [level for level, text in told(made, path) if "do not know: jj frobnicate;" in text] == ["note"]
    jj.write_text("#!/bin/sh\nexit 1\n")
    assert not any("do not know" in text for _, text in told(made, path))
