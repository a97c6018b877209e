"""Every reported scenario of kind shim has a test: here, or named here. New scenarios make this file fail."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from shims import generate_shims
from tests.shims.places import first

ROOT = Path(__file__).resolve().parent.parent.parent
SCENARIOS = ROOT.parent / "shared/cases/scenarios.jsonl"

ELSEWHERE = {
    "C454": "tests/shims/test_resolve.py::test_our_folder_by_another_name",
    "C455": "tests/shims/test_resolve.py::test_entries_that_mean_another_folder_after_cd",
    "C456": "tests/shims/test_loops.py::test_a_wrapper_before_us",
    "C457": "tests/shims/test_loops.py::test_two_installations_on_one_path",
    "C458": "tests/shims/test_loops.py::test_another_home_changes_nothing",
    "C460": "tests/shims/test_loops.py::test_a_missing_interpreter_is_said",
    "C461": "tests/shims/test_loops.py::test_a_mise_shim_between",
    "C463": "tests/guards/shim/test_shim_doctor.py::test_a_literal_tilde",
    "C464": "tests/guards/shim/test_shim_doctor.py::test_an_ordinary_shell",
    "C465": "tests/shims/test_git_transparent.py::test_same_with_and_without",
    "C466": "tests/shims/test_git_transparent.py::test_same_with_and_without",
    "C468": "tests/shims/test_git_transparent.py::test_signals_reach_the_program_itself",
    "C470": "tests/shims/test_through_others.py::test_git_hooks_that_run_git",
    "C472": "tests/guards/shim/test_uv.py::test_a_script_that_starts_itself_with_uv_is_stopped",
    "C474": "tests/guards/shim/test_uv.py::test_the_same_with_and_without",
    "C475": "tests/guards/shim/test_jj_reads.py::test_every_read_is_true_and_leaves_no_trace",
    "C476": "tests/guards/shim/test_ssh.py::test_six_writers_leave_one_document",
    "C477": "tests/shims/test_git_transparent.py::test_signals_reach_the_program_itself",
}
HERE = ("C459", "C462", "C467", "C469", "C471", "C473")


@pytest.mark.skipif(not SCENARIOS.exists(), reason="the shared cases are not here")
def test_every_scenario_is_covered():
    known = {row["id"] for row in map(json.loads, SCENARIOS.read_text().splitlines()) if row["kind"] == "shim"}
    assert known <= {*ELSEWHERE, *HERE}


@pytest.mark.parametrize("name", sorted(set(ELSEWHERE.values())))
def test_the_named_tests_exist(name):
    file, _, function = name.partition("::")
    assert f"def {function}(" in (ROOT / file).read_text()


def run(place, argv, environment=None, **more):
    given = environment or first(place.shims, place.environment)
    return subprocess.run(argv, cwd=place.pristine, env=given, capture_output=True, timeout=120, **more)


def test_c459_no_program_is_taken_from_path(place, tmp_path):
    for name in (
        "cat",
        "sed",
        "sh",
        "bash",
        "dash",
        "dirname",
        "basename",
        "readlink",
        "realpath",
        "which",
        "env",
        "uname",
        "grep",
        "python3",
    ):
        path = tmp_path / "trap" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n/bin/touch {tmp_path}/sprung\nexit 1\n")
        path.chmod(0o755)
    environment = first(tmp_path / "trap", first(place.shims, place.environment))
    for words in (["rev-parse", "HEAD"], ["stash", "list"], ["reset", "--hard"]):
        run(place, [f"{place.shims}/git", *words], environment)
    assert not (tmp_path / "sprung").exists()


def test_c462_the_doctor_looks_into_login_and_interactive_shells(place, installed, tmp_path, search):
    from guards.install.checks.shims import examine
    from guards.install.doctor import Patient

    home = tmp_path / "login"
    home.mkdir()
    (home / ".bash_profile").write_text(f"PATH={search}\n")
    patient = Patient(installed, str(home), (), {"PATH": search})
    told = [(check.level, check.text) for check in examine(patient)]
    assert ("ok", next(text for _, text in told if "bash -c finds" in text)) in told
    assert any(level == "warn" and "bash -lc finds other programs first" in text for level, text in told)


def test_c467_stdin_is_left_to_the_program(place):
    wanted = subprocess.run(
        ["git", "hash-object", "--stdin"], input=b"one\ntwo\n", env=place.environment, capture_output=True
    ).stdout
    for words in (["hash-object", "--stdin"], ["-C", ".", "hash-object", "--stdin"]):
        done = run(place, ["sh", "-c", f"(echo one; sleep 0.2; echo two) | git {' '.join(words)}"])
        assert done.stdout == wanted, done.stderr
    looped = run(
        place, ["sh", "-c", "printf 'a\\nb\\n' | while read x; do git -C . rev-parse HEAD >/dev/null; echo $x; done"]
    )
    assert looped.stdout == b"a\nb\n"


def test_c469_an_ssh_that_rsync_starts_asks_nobody():
    from guards.shim import ssh

    assert {"rsync", "scp", "sftp", "git"} == set(ssh.CARRIERS)


def test_c471_the_childs_path_keeps_every_entry(place, tmp_path):
    helper = tmp_path / "helpers/git-helper"
    helper.parent.mkdir()
    helper.write_text('#!/bin/sh\nprintf "%s\\n" "$PATH"\n')
    helper.chmod(0o755)
    environment = first(place.shims, {**place.environment, "PATH": f"{place.environment['PATH']}:{helper.parent}"})
    done = run(place, ["git", "helper"], environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().strip().endswith(environment["PATH"])


def test_c473_what_is_offered_passes_here(place):
    done = run(place, ["git", "reset", "--hard"])
    message = done.stderr.decode()
    offered = message.partition("Run instead: ")[2].split("`")[1::2]
    assert offered
    for text in offered:
        assert run(place, ["sh", "-c", text]).returncode == 0, text


@pytest.mark.parametrize("touched", ["config.toml", "rules/mine/x.toml"])
def test_a_new_source_is_seen_at_once(place, installed, tmp_path, search, touched):
    """Staleness: a file of the user's that comes into being sends every form to Python, which compiles anew."""
    layout = installed.replace(prefix=f"{tmp_path}/made")
    generate_shims.write(layout, path=search)
    path = Path(layout.config) / touched
    present = path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("profile = 'nonsense'\n")
    later = time.time() + 5
    os.utime(path, (later, later))
    try:
        environment = {**place.environment, "PATH": f"{tmp_path}/made/shims:{search}"}
        done = run(place, ["git", "rev-parse", "HEAD"], environment)
        assert done.returncode in (0, 126)
        assert done.returncode == 0 or b"[self/broken]" in done.stderr
    finally:
        path.unlink()
        if not present:
            for folder in (path.parent, path.parent.parent):
                if str(folder) != layout.config and folder.exists() and not os.listdir(folder):
                    folder.rmdir()
