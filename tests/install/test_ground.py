"""Places that cannot bear an installation: install.sh says cause, place and cure before it builds anything, and makes nothing."""

import errno
import os
import subprocess
import sys

import pytest

from guards.install import ground, setup
from guards.layout import Layout


def occupied(installer):
    (installer.prefix / "releases/20251130-old").mkdir(parents=True)
    (installer.prefix / "site.conf").write_text("somebody's")


def own_runtime_of_another(installer):
    (installer.state / "run").mkdir(parents=True)
    (installer.state / "run").chmod(0o755)


def in_the_way(name):
    return lambda installer: getattr(installer, name).write_text("a file")


WRONG = {
    "a file is in the way of the prefix": (
        in_the_way("prefix"),
        (),
        "--prefix {prefix}: {prefix} is no folder; move it away",
    ),
    "a file is in the way of the commands": (in_the_way("bin"), (), "--bin {bin}: {bin} is no folder; move it away"),
    "a file is in the way of the log": (in_the_way("state"), (), "--state {state}: {state} is no folder; move it away"),
    "somebody's folder": (occupied, (), "holds other things ('site.conf', 'releases/20251130-old')"),
    "somebody's run folder": (own_runtime_of_another, (), "{state}/run is somebody else's"),
    "a colon in the prefix": (None, ("--prefix", "/tmp/a:b"), "--prefix /tmp/a:b: this folder has to stand on PATH"),
    "a colon in the commands": (None, ("--bin=/tmp/a:b",), "--bin /tmp/a:b: this folder has to stand on PATH"),
    "a line break": (None, ("--state", "/tmp/a\nb"), "--state: a line break stands in this name"),
    "a control character": (None, ("--config", "/tmp/a\x1bb"), "--config '/tmp/a\\x1bb': a control character"),
    "not UTF-8": (None, ("--bin", os.fsdecode(b"/tmp/\xff")), "--bin '/tmp/\\udcff': this name is not UTF-8"),
    "a tilde that no shell read": (None, ("--prefix=~/x y",), 'write --prefix "$HOME/x y"'),
    "no such wheels": (None, ("--wheels", "/nowhere"), "--wheels /nowhere: there is no such folder"),
    "one state for all": (None, ("--system",), "--config and --state are not for --system"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_place_that_cannot_bear_it_is_named_before_anything_is_made(installer, python, tmp_path, case):
    prepare, options, said = WRONG[case]
    if prepare:
        prepare(installer)
    before = sorted(tmp_path.rglob("*"))
    done = installer.run(*options)
    places = {name: getattr(installer, name) for name in ("prefix", "bin", "state")}
    assert (done.returncode, done.stdout) == (1, "")
    assert said.format(**places) in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_without_git_nothing_is_built(installer, python, tools):
    (tools / "git").unlink()
    done = installer.run()
    assert (done.returncode, done.stdout) == (1, "")
    assert "apt install git" in done.stderr


def test_an_option_without_its_folder_is_named(installer):
    assert "install.sh: --bin wants a folder behind it\n" in installer.run("--bin").stderr


def layout(folder, **changes):
    places = {name: f"{folder}/{name}" for name in ("prefix", "bin", "config", "state")}
    return Layout.default().replace(**places, runtime=f"{folder}/state/run").replace(**changes)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("size=1M", "--prefix {0}/prefix: 1 MB are free there and 80 are needed; free some space there"),
        ("size=100M,ro", "--bin {0}/bin: {0} cannot be written (its disk can only be read)"),
        ("size=100M,noexec", "--prefix {0}/prefix: programs cannot run there (mounted noexec)"),
    ],
)
def test_a_disk_that_cannot_bear_it(tmp_path, options, reason):
    code = (
        "import sys; from guards.install import ground; from guards.layout import Layout\n"
        "places = {name: f'{sys.argv[1]}/{name}' for name in ('prefix', 'bin', 'config', 'state')}\n"
        "print(*ground.reasons(Layout.default().replace(**places, runtime=sys.argv[1] + '/state/run')), sep='\\n')"
    )
    mounted = f'mount -t tmpfs -o {options} none "$1" && exec "$2" -c "$3" "$1"'
    words = ["unshare", "-m", "sh", "-c", mounted, "sh", str(tmp_path), sys.executable, code]
    done = subprocess.run(words, capture_output=True, text=True)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip(done.stderr)
    assert reason.format(tmp_path) in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["prefix", "bin"])
def test_what_is_for_everybody_stands_where_everybody_can_go(tmp_path, name):
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents:
        if not folder.stat().st_mode & 1:
            return  # where tests run below a closed folder all places are closed
    (tmp_path / name).mkdir(mode=0o700)
    (reason,) = ground.reasons(layout(tmp_path, shared=True))
    assert reason.startswith(f"--{name} {tmp_path}/{name}: --system is for every user")


@pytest.mark.parametrize("made", [(), ("releases/20260101-000000-1",), ("layout.txt", "notes")])
def test_ours_and_empty_folders_are_taken(tmp_path, made):
    for name in made:
        (tmp_path / "prefix" / name).mkdir(parents=True)
    assert list(ground.reasons(layout(tmp_path))) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.ENOTDIR])
def test_an_error_that_comes_all_the_same_names_place_and_cure(tmp_path, number):
    said = ground.told(OSError(number, os.strerror(number), "/there"), layout(tmp_path))
    assert said.startswith(f"/there: {os.strerror(number).lower()}; ")
    assert ground.CURES[number] in said


def test_what_killed_installers_left_goes_and_only_that(tmp_path):
    dead = subprocess.Popen(["true"])
    dead.wait()
    kept = {
        "20260101-000009-1": True,  # the new one
        "20260101-000003-1": True,  # the complete one before it
        "20260101-000002-1": False,
        f"20260101-000000-{dead.pid}": False,
        f"20260101-000001-{os.getpid()}": True,
        f"20260101-000004-{dead.pid}": True,  # its launchers may be in use
        "notes of mine": True,
    }
    folder = tmp_path / "prefix/releases"
    for name in kept:
        (folder / name).mkdir(parents=True)
    for name in ("20260101-000002-1", "20260101-000003-1"):
        (folder / name / "complete").touch()
    (folder / f"20260101-000004-{dead.pid}" / "begun").touch()
    setup.remove_old_releases(layout(tmp_path), str(folder / "20260101-000009-1"))
    assert {name: (folder / name).exists() for name in kept} == kept
