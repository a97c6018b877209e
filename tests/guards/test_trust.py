"""A project's file gets full rights only in the very bytes and the very folder that a person has trusted; at every door."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from guards import trust
from guards.install.deploy import deploy
from tests.asked import word
from tests.layouts import keep, layout_at

LOOSER = '[rules."hang/dev-server"]\nenabled = false\n[rules."git/reset-hard"]\ndecision = "ask"\n'
OWN = """[rule."team/frob"]
summary = "runs frobnicate"
why = "it frobnicates"
decision = "deny"
[[rule."team/frob".match]]
program = "frobnicate"
[[rule."team/frob".example]]
run = "frobnicate x"
expect = "deny"
[[rule."team/frob".example]]
run = "ls"
expect = "pass"
"""


@pytest.fixture
def project(dirty_repo):
    (dirty_repo / ".gatepost.toml").write_text(LOOSER + OWN)
    return dirty_repo


class Place:
    """The installed commands, from a project."""

    def __init__(self, layout, env):
        self.layout, self.env = layout, env

    def hook(self, text, cwd):
        return word(self.layout.bin, text, cwd, self.env)

    def run(self, *words, cwd):
        return subprocess.run(
            [f"{self.layout.bin}/gatepost", *words], capture_output=True, text=True, cwd=cwd, env=self.env
        )

    def type(self, *words, cwd, answer):
        """The command at a terminal, with an answer typed."""
        ours, theirs = pty.openpty()
        os.write(ours, f"{answer}\n".encode())
        done = subprocess.run(
            [f"{self.layout.bin}/gatepost", *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=self.env
        )
        os.close(theirs)
        told = b""
        try:
            while part := os.read(ours, 65536):
                told += part
        except OSError:
            pass
        os.close(ours)
        return done.returncode, told.decode()

    def shim(self, *words, cwd):
        env = {**self.env, "PATH": f"{self.layout.prefix}/shims:{self.env['PATH']}"}
        return subprocess.run(words, capture_output=True, text=True, cwd=cwd, env=env)


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    made = layout_at(tmp_path_factory.mktemp("gate post"))
    keep(made.compiled)
    deploy(made)
    return made


@pytest.fixture
def place(installation, git_env):
    """The installation that these tests share, with nothing trusted and no rules of the person's."""
    yield Place(installation, git_env)
    for folder in (f"{installation.state}/trust", f"{installation.state}/projects", f"{installation.config}/rules"):
        shutil.rmtree(folder, ignore_errors=True)


def test_a_person_s_trust_from_the_first_look_to_the_last(place, project):
    asked = ["npm run dev", "git reset --hard", "frobnicate x"]
    before = [place.hook("npm run dev", "/"), "deny", "pass"]
    assert [place.hook(text, project) for text in asked] == before
    assert "is not trusted" in place.run("config", "show", cwd=project).stderr

    refused = place.run("trust", cwd=project)
    assert refused.returncode == 1
    assert "only a person at a terminal" in refused.stderr
    status, told = place.type("trust", cwd=project, answer="n")
    assert status == 1
    assert 'decision = "ask"' in told
    assert [place.hook(text, project) for text in asked] == before

    status, told = place.type("trust", cwd=project, answer="y")
    assert status == 0, told
    assert [place.hook(text, project) for text in asked] == ["pass", "ask", "deny"]
    assert [place.hook(text, project / "src") for text in asked] == ["pass", "ask", "deny"]
    assert place.run("check", "frobnicate x", cwd=project).returncode == 1
    shown = place.run("config", "show", "--origin", cwd=project).stdout
    assert 'rules."git/reset-hard".decision = "ask"    # project' in shown
    assert str(project) in place.run("trust", "--list", cwd="/").stdout
    assert "trusted in its present bytes" in place.run("doctor", cwd="/").stdout

    with (project / ".gatepost.toml").open("a") as file:
        file.write("\n")
    assert [place.hook(text, project) for text in asked] == before
    assert "has changed since it was trusted" in place.run("config", "show", cwd=project).stderr
    assert "has changed or is gone" in place.run("doctor", cwd="/").stdout

    (project / ".gatepost.toml").write_text(LOOSER + OWN)
    assert place.hook("frobnicate x", project) == "deny"
    assert place.run("trust", "--revoke", str(project), cwd="/").returncode == 0
    assert [place.hook(text, project) for text in asked] == before
    assert "nothing is trusted" in place.run("trust", "--list", cwd="/").stdout


def trusted(place, project):
    found = trust.project(str(project))
    trust.give(place.layout, found)
    return found


def test_the_shim_respects_it(place, project):
    assert place.shim("git", "reset", "--hard", cwd=project).stderr.count("[git/reset-hard]") == 1
    (project / ".gatepost.toml").write_text('[rules."git/reset-hard"]\nenabled = false\n')
    trusted(place, project)
    assert place.shim("git", "reset", "--hard", cwd=project).returncode == 0
    assert (project / "src/a.py").read_text() == "one = 1\n"


def test_its_word_counts_only_for_what_runs_in_it(place, project, tmp_path, git_env):
    other = tmp_path / "other"
    subprocess.run(["cp", "-a", str(project), str(other)], check=True)
    trusted(place, project)
    assert place.hook("git reset --hard", project) == "ask"
    assert place.hook(f"cd {other} && git reset --hard", project) == "deny"
    assert place.hook(f"git -C {other} reset --hard", project) == "deny"
    assert place.hook("git reset --hard", other) == "deny"  # the same bytes in another folder


@pytest.mark.parametrize("text", ["echo $(", "cd /; rm -rf ~ $("])
def test_its_word_does_not_count_for_what_cannot_be_read(place, project, text):
    (project / ".gatepost.toml").write_text('[rules."shell/unparsed"]\ndecision = "pass"\n')
    trusted(place, project)
    assert place.hook(text, project) in ("ask", "deny")


def test_an_untrusted_file_below_hides_no_trusted_one(place, project):
    trusted(place, project)
    (project / "src/.gatepost.toml").write_text('[rules."git/reset-hard"]\ndecision = "pass"\n')
    assert place.hook("frobnicate x", project / "src") == "deny"
    assert place.hook("git reset --hard", project / "src") == "ask"


def test_it_names_no_command_that_would_be_run(place, project):
    (project / ".gatepost.toml").write_text('[settings]\nattestation = ["/bin/true"]\n')
    status, said = place.type("trust", cwd=project, answer="y")
    assert status == 1
    assert "only your own configuration names a command" in said


def test_what_is_final_stays(place, project):
    (project / ".gatepost.toml").write_text("[packs.self]\nenabled = false\n[packs.files]\nenabled = false\n")
    trusted(place, project)
    assert place.hook("gatepost trust", project) == "deny"
    assert place.hook("echo x >> .gatepost.toml", project) == "deny"


def test_a_change_of_the_person_s_own_rules_reaches_a_trusted_project(place, project):
    trusted(place, project)
    assert place.hook("defrob x", project) == "pass"
    path = Path(place.layout.config) / "rules/team/mine.toml"
    path.parent.mkdir(parents=True)
    path.write_text(
        'summary = "x"\nwhy = "y"\ndecision = "deny"\n[[match]]\nprogram = "defrob"\n'
        '[[example]]\nrun = "defrob"\nexpect = "deny"\n[[example]]\nrun = "ls"\nexpect = "pass"\n'
    )
    assert place.hook("defrob x", project) == "deny"
    assert place.hook("frobnicate x", project) == "deny"


BAD = [
    ('[limits]\nmemory = "1G"\n', "limits: unknown key"),
    ('profile = "observe"\n', "profile"),
    ('[rules."hang/dev-servr"]\nenabled = false\n', None),
    ('[rule."Team"]\nsummary = "x"\n', "PACK/RULE"),
    ("this is = not [ toml\n", ":1: "),
]


@pytest.mark.parametrize(("text", "told"), BAD)
def test_a_file_with_a_fault_is_not_trusted(place, project, text, told):
    (project / ".gatepost.toml").write_text(text)
    status, said = place.type("trust", cwd=project, answer="y")
    if told is None:
        assert "did you mean 'hang/dev-server'?" in said
    else:
        assert status == 1
        assert told in said
        assert "in force" not in said
        assert "left out" not in said
        assert trust.listed(place.layout) == []


HARMS = ["folder open", "folder link", "file open", "file link", "file empty", "file garbage", "file named otherwise"]


@pytest.mark.parametrize("harm", HARMS)
def test_a_store_that_others_could_have_written_is_none(layout, project, tmp_path, harm):
    found = trust.project(str(project))
    trust.give(layout, found)
    assert trust.trusted(layout, str(project)) == found
    folder = Path(layout.state) / "trust"
    (entry,) = folder.iterdir()
    if harm == "folder open":
        folder.chmod(0o770)
    elif harm == "folder link":
        folder.rename(tmp_path / "aside")
        folder.symlink_to(tmp_path / "aside")
    elif harm == "file open":
        entry.chmod(0o666)
    elif harm == "file link":
        entry.rename(tmp_path / "aside")
        entry.symlink_to(tmp_path / "aside")
    elif harm == "file named otherwise":
        entry.rename(entry.with_name("0" * 64 + entry.name[64:]))
    else:
        entry.write_bytes(b"" if harm == "file empty" else b"\xff\0\n")
    assert trust.trusted(layout, str(project)) is None


@pytest.mark.parametrize("harm", ["one byte", "same size", "link", "folder", "too large", "pipe"])
def test_other_bytes_are_not_trusted(layout, project, tmp_path, harm):
    trust.give(layout, trust.project(str(project)))
    path = project / ".gatepost.toml"
    stat = path.stat()
    if harm == "one byte":
        path.write_text(LOOSER + OWN + "#")
    elif harm == "same size":
        path.write_text((LOOSER + OWN).replace("ask", "pas"))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    else:
        path.unlink()
        if harm == "link":
            (tmp_path / "x.toml").write_text("#")
            path.symlink_to(tmp_path / "x.toml")
        elif harm == "folder":
            path.mkdir()
        elif harm == "too large":
            path.write_text("#" * 70_000)
        else:
            os.mkfifo(path)
    assert trust.trusted(layout, str(project)) is None
