"""./install.sh: what it makes, that it can be run again, what it says when something is missing, and that it can be undone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.asked import word

ROOT = Path(__file__).resolve().parents[2]
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def answer(installer):
    """What the installed hook says to `rm -rf /`."""
    return word(installer.bin, "rm -rf /")


def library(installer, dirty_repo):
    """What the README's library example prints in the installed interpreter, about a repository with uncommitted work."""
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    example = example.replace("/home/you/.local/share/gatepost", str(installer.prefix)).replace("cd app && ", "")
    example = example.replace('cwd="/home/you"', f"cwd={str(dirty_repo)!r}")
    python = installer.prefix / "venv/bin/python"
    done = subprocess.run([python, "-I", "-c", example], capture_output=True, text=True, cwd="/")
    assert done.stderr == ""
    return done.stdout


def stands_on_path(installer, said):
    """Whether the line that install.sh says puts BIN on PATH."""
    (line,) = re.findall(r"^  (export PATH=.*)$", said, re.MULTILINE)
    done = subprocess.run(["sh", "-c", line + '; printf %s "$PATH"'], capture_output=True, text=True, check=True)
    return done.stdout.startswith(f"{installer.bin}:")


def doctored(installer):
    """What `gatepost doctor` says of the new installation."""
    return subprocess.run([installer.bin / "gatepost", "doctor"], capture_output=True, text=True).stdout.splitlines()


def releases(installer):
    return sorted(path.name for path in (installer.prefix / "releases").iterdir())


def test_one_command_installs_and_shows_the_main_job_and_the_old_one_answers_all_through_an_upgrade(
    installer, python, dirty_repo
):
    done = installer.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    assert "git reset --hard\n" in done.stdout
    assert "[git/reset-hard]" in done.stdout
    assert stands_on_path(installer, done.stdout)
    assert [line for line in doctored(installer) if line.startswith("FAIL")] == []
    assert answer(installer) == "deny"
    assert (installer.prefix / "venv/bin/python").exists()
    assert (installer.prefix / "shims").is_dir()
    assert library(installer, dirty_repo).startswith("deny git/reset-hard ")
    assert subprocess.run([installer.bin / "gatepost", "--version"], capture_output=True).returncode == 0
    assert installer.untouched_home()

    installer.path = f"{installer.path}:{installer.bin}"
    answers = set()
    again = installer.run(meanwhile=lambda: answers.add(answer(installer)))
    assert again.returncode == 0, again.stdout + again.stderr
    assert "export PATH" not in again.stdout
    assert len(releases(installer)) == 2
    assert answers == {"deny"}
    assert answer(installer) == "deny"

    third = installer.run()
    assert third.returncode == 0, third.stdout + third.stderr
    assert len(releases(installer)) == 2

    started = subprocess.run([installer.bin / "gatepost", "run", "--launcher", "--", "/bin/sh"], capture_output=True)
    assert started.returncode == 0, started.stderr
    assert (installer.prefix / "agents/sh").exists()

    removed = installer.run("--uninstall")
    assert removed.returncode == 0, removed.stderr
    assert list(installer.bin.iterdir()) == []
    assert not installer.prefix.exists()
    assert installer.untouched_home()


def test_an_upgrade_that_cannot_work_leaves_the_old_one_at_work(installer, python, sources):
    assert installer.run().returncode == 0
    before = {path: path.read_bytes() for path in installer.bin.iterdir()}
    kept = releases(installer)
    rule = sources / "rules/git/reset-hard.toml"
    rule.write_text(rule.read_text().replace('decision = "deny"', 'decision = "pass"', 1))
    done = installer.run(source=sources)
    assert done.returncode != 0
    assert "reset-hard" in done.stderr
    assert {path: path.read_bytes() for path in installer.bin.iterdir()} == before
    assert releases(installer) == kept
    assert answer(installer) == "deny"


def test_a_rule_that_lost_its_teeth_makes_the_installation_fail(installer, python, sources):
    shutil.rmtree(sources / "rules/git")
    done = installer.run(source=sources)
    assert done.returncode == 1
    assert "git reset --hard in the edited repository: silence where deny by git/reset-hard was expected" in done.stderr
    assert not installer.bin.exists()
    assert not installer.prefix.exists()


MISSING = {"venv": ("venv",), "ensurepip": ("ensurepip",), "pip": ("ensurepip/_bundled",)}


@pytest.mark.parametrize("missing", MISSING.values(), ids=MISSING)
def test_without_uv_the_one_line_that_mends_it_is_said(installer, missing, lame_python):
    lame_python(*missing)
    done = installer.run()
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"  apt install python{VERSION}-venv"
    assert not installer.prefix.exists()


@pytest.mark.parametrize("missing", [MISSING["venv"], MISSING["pip"]], ids=["found out before", "found out on the way"])
def test_uv_stands_in_for_what_is_missing(installer, tools, missing, lame_python):
    lame_python(*missing)
    (tools / "uv").symlink_to(Path(sys.prefix) / "bin/uv")
    done = installer.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "uv makes the environment" in done.stdout
    assert answer(installer) == "deny"


def test_refused_interpreters_are_named_with_the_reason(installer, tools):
    for name, text in (("python3.12", "exit 127"), ("python3", "echo 'no: it is Python 3.9'")):
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    done = installer.run()
    assert done.returncode == 1
    assert f"{tools}/python3.12: it does not start" in done.stderr
    assert f"{tools}/python3: it is Python 3.9" in done.stderr
    assert "apt install" in done.stderr


def test_without_any_python_it_says_how_to_get_one(installer):
    done = installer.run()
    assert done.returncode == 1
    assert "No python3 was found" in done.stderr


@pytest.mark.parametrize("options", [("--prefix",), ("--frobnicate",), ("here",), ("--bin", "")])
def test_a_wrong_option_changes_nothing(installer, options):
    done = installer.run(*options)
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert not installer.prefix.exists()


def test_help_goes_to_stdout(installer):
    done = installer.run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--wheels DIR" in done.stdout


def test_uninstall_leaves_other_peoples_programs(installer, python):
    assert installer.run().returncode == 0
    foreign = installer.bin / "gatepost"
    foreign.write_text("#!/bin/sh\necho somebody else's\n")
    assert installer.run("--uninstall").returncode == 0
    assert os.listdir(installer.bin) == ["gatepost"]
    assert installer.run("--uninstall").returncode == 1
