"""Nothing that stands before or behind a shim makes it start itself for ever."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from guards.install import bundle as hook_bundle
from guards.shim import bundle as shim_bundle
from guards.shim.refresh import refresh
from shims import generate_shims, resolve
from tests.layouts import layout_at
from tests.shims.places import first, install


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def run(argv, place, environment):
    return subprocess.run(argv, cwd=place.pristine, env=environment, capture_output=True, timeout=120)


def test_two_installations_on_one_path(place, tmp_path, search):
    other = layout_at(tmp_path / "other")
    install(other, path=f"{place.shims}:{search}")
    for order in (
        [place.shims, f"{other.prefix}/shims"],
        [f"{other.prefix}/shims", place.shims, f"{other.prefix}/shims"],
    ):
        environment = {**place.environment, "PATH": ":".join([*order, search])}
        for words in (["log", "--format=%s"], ["-C", ".", "log", "--format=%s"]):
            done = run(["git", *words], place, environment)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"second\nfirst\n", b"")


def test_a_wrapper_before_us(place, tmp_path):
    wrapper = program(tmp_path / "w/git", '#!/bin/sh\nexec "$(which -a git | sed -n 2p)" "$@"\n')
    environment = first(wrapper.parent, first(place.shims, place.environment))
    done = run(["git", "-C", ".", "log", "--format=%s"], place, environment)
    assert (done.returncode, done.stdout) == (0, b"second\nfirst\n")


@pytest.mark.parametrize("words", [["rev-parse", "HEAD"], ["-C", ".", "rev-parse", "HEAD"]])
def test_a_wrapper_behind_us_that_looks_itself_up_is_stopped(place, tmp_path, installed, search, words):
    program(tmp_path / "w/git", '#!/bin/sh\nexec "$(command -v git)" "$@"\n')
    layout = installed.replace(prefix=f"{tmp_path}/made")
    path = f"{tmp_path}/w:{search}"
    generate_shims.write(layout, path=path)
    done = run(["git", *words], place, {**place.environment, "PATH": f"{tmp_path}/made/shims:{path}"})
    assert done.returncode == 126
    assert done.stderr.decode().rstrip().endswith("[self/recursion]")


def test_another_home_changes_nothing(place, tmp_path):
    environment = {**first(place.shims, place.environment), "HOME": f"{tmp_path}/sandbox"}
    assert run(["git", "-C", ".", "rev-parse", "HEAD"], place, environment).returncode == 0


def test_a_mise_shim_between(place, tmp_path, search):
    program(tmp_path / "tools/mise", '#!/bin/sh\nexec git "$@"\n')
    (tmp_path / "mise").mkdir()
    (tmp_path / "mise/git").symlink_to(tmp_path / "tools/mise")
    environment = {**place.environment, "PATH": f"{place.shims}:{tmp_path}/mise:{search}"}
    for words in (["rev-parse", "HEAD"], ["-C", ".", "rev-parse", "HEAD"]):
        assert run(["git", *words], place, environment).returncode == 0


def test_a_missing_program_is_127(place, tmp_path, installed):
    program(tmp_path / "w/git", "#!/bin/sh\nexit 0\n")
    layout = installed.replace(prefix=f"{tmp_path}/made")
    generate_shims.write(layout, path=f"{tmp_path}/w")
    (tmp_path / "w/git").unlink()
    done = run([f"{tmp_path}/made/shims/git", "log"], place, {**place.environment, "PATH": f"{tmp_path}/made/shims"})
    assert done.returncode == 127
    assert b"git: not found" in done.stderr
    assert done.stdout == b""


def test_a_missing_interpreter_is_said(place, tmp_path, installed, search):
    layout = installed.replace(prefix=f"{tmp_path}/made", python=f"{tmp_path}/gone/python")
    kind = None if resolve.is_script(place.shims + "/git") else "cc"
    generate_shims.write(layout, path=search, compiler=kind)
    environment = {**place.environment, "PATH": f"{tmp_path}/made/shims:{search}"}
    judged = run(["git", "-C", ".", "reset", "--hard"], place, environment)
    assert judged.returncode == 126
    assert b"self/broken" in judged.stderr
    assert b"install.sh" in judged.stderr


def test_the_trial_runs_of_a_compile_start_no_other_compile(tmp_path):
    """They may find the rules stale again, when somebody changes them meanwhile."""
    layout = layout_at(tmp_path / "own")
    install(layout)
    program(Path(layout.config) / "config.toml", 'profile = "strict"\n')
    program(Path(layout.compiled) / "cli.py", f"open({str(tmp_path / 'started')!r}, 'w')\n")
    for bundle in (hook_bundle, shim_bundle):
        bundle.write(layout)
        assert not (tmp_path / "started").exists(), bundle.__name__
    assert refresh(layout)
    assert (tmp_path / "started").exists()
