"""Programs that a user lists under `shims`: judged by the rules like ours, handed over otherwise, refreshed with the configuration."""

from __future__ import annotations

import os
import subprocess

import pytest

from guards.install import deploy
from guards.shim.doctor import findings
from policy.config import Config
from policy.rules.schema import RuleError
from shims import generate_shims, resolve
from tests.layouts import layout_at
from tests.shims.places import install


@pytest.fixture
def programs(tmp_path):
    """Programs that say how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("kubectl", "terraform", "mytool"):
        (folder / name).write_text('#!/bin/sh\necho "$0 $GATEPOST_DEPTH" "$@"\nexit 3\n')
        (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.fixture
def layout(tmp_path, programs):
    made = layout_at(tmp_path / "listed")
    os.makedirs(made.config)
    with open(made.config + "/config.toml", "w") as file:
        file.write('shims = ["kubectl", "mytool", "git", "absent"]\n')
    install(made, path=programs)
    return made


def run(layout, programs, argv, **more):
    environment = {**os.environ, "PATH": f"{layout.prefix}/shims:{programs}", **more}
    return subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60, cwd="/tmp")


def test_they_are_judged_and_handed_over(layout, programs, tmp_path):
    assert sorted(os.listdir(layout.prefix + "/shims"))[:2] == ["git", "kubectl"]
    assert resolve.is_ours(layout.prefix + "/shims/mytool")
    refused = run(layout, programs, ["sh", "-c", "kubectl delete namespace prod"])
    assert refused.returncode == 126
    assert refused.stderr.rstrip().endswith("]")
    assert "[infra/" in refused.stderr
    assert refused.stdout == ""
    passed = run(layout, programs, ["kubectl", "get", "pods", ""])
    assert (passed.returncode, passed.stdout, passed.stderr) == (3, f"{tmp_path}/bin/kubectl 1 get pods \n", "")
    assert run(layout, programs, ["mytool", "x"]).stdout == f"{tmp_path}/bin/mytool 1 x\n"


@pytest.mark.skipif(subprocess.run(["sh", "-c", "sudo -n true"], capture_output=True).returncode != 0, reason="no sudo")
def test_sudo_sets_path_anew_and_is_judged_where_it_is_listed(tmp_path, dirty_repo, git_env):
    made = layout_at(tmp_path / "with sudo")
    os.makedirs(made.config)
    with open(made.config + "/config.toml", "w") as file:
        file.write('shims = ["sudo"]\n')
    install(made, path=git_env["PATH"])
    environment = {**git_env, "PATH": f"{made.prefix}/shims:{git_env['PATH']}"}

    def shell(text):
        return subprocess.run(["sh", "-c", text], cwd=dirty_repo, env=environment, capture_output=True, text=True)

    found = shell("sudo -n sh -c 'command -v git'")
    assert (found.returncode, found.stdout.startswith(made.prefix)) == (0, False)
    for text in ("sudo -n git reset --hard", "sudo -n -u root sh -c 'git reset --hard'"):
        refused = shell(text)
        assert (refused.returncode, refused.stdout) == (126, "")
        assert refused.stderr.rstrip().endswith("[git/reset-hard]")
    assert shell("printf x | sudo -n cat; exit 3").returncode == 3


def test_a_shim_comes_and_goes_with_the_configuration(layout, programs, monkeypatch):
    monkeypatch.setenv("PATH", programs)
    with open(layout.config + "/config.toml", "w") as file:
        file.write('shims = ["terraform"]\n')
    assert run(layout, programs, ["git", "rev-parse", "--git-dir"]).returncode == 128
    assert "terraform" in os.listdir(layout.prefix + "/shims")
    assert "kubectl" not in os.listdir(layout.prefix + "/shims")
    assert run(layout, programs, ["terraform", "destroy", "-auto-approve"]).returncode == 126


def test_a_program_that_comes_later_makes_them_stale(layout, programs, tmp_path):
    assert generate_shims.fresh(layout, programs)
    (tmp_path / "bin/absent").write_text("#!/bin/sh\n")
    (tmp_path / "bin/absent").chmod(0o755)
    assert not generate_shims.fresh(layout, programs)


def test_the_doctor_says_what_is_in_vain(layout, programs):
    told = [text for _, text, _ in findings(layout, {"PATH": programs})]
    assert any("mytool" in text and "no rule says anything" in text for text in told)
    assert any("absent" in text and "no such program" in text for text in told)
    assert not any("kubectl" in text for text in told)


@pytest.mark.parametrize("name", ["a/b", "", ".", "-x", "..", "gatepost", "with-limits", "a b", "a\nb"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(RuleError, match="shims"):
        Config.parse(f"shims = {[name]!r}\n", "config.toml")


def test_layers_add_up():
    managed, user = (Config.parse(f"shims = ['{name}']\n", "x") for name in ("kubectl", "gh"))
    assert managed.over(user, "user", {}, []).shims == ["kubectl", "gh"]
    assert deploy.STEPS[-1][0] == "shims"


def test_who_compiles_may_have_a_shorter_path(layout, programs, tmp_path):
    assert generate_shims.write(layout, path="/usr/bin:/bin")["mytool"] == f"{tmp_path}/bin/mytool"
    assert generate_shims.fresh(layout, "/usr/bin:/bin")
    os.unlink(tmp_path / "bin/mytool")
    assert not generate_shims.fresh(layout, "/usr/bin:/bin")
    assert "mytool" not in generate_shims.write(layout, path="/usr/bin:/bin")
