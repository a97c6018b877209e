"""Path classes: for each a path that is in it and one that is not, in a given world."""

from __future__ import annotations

import pytest

from policy.model import Effect, Invocation, Request, Value
from policy.rules.fact import Question
from policy.rules.given import GivenWorld
from policy.rules.predicates import FACTS
from policy.rules.predicates.path_class import CLASSES
from policy.rules.predicates.places import Place

APP = "/home/dev/work/app"
WORLD = {
    "tracked": ["src/a.py"],
    "modified": ["src/m.py"],
    "untracked": ["new.txt"],
    "ignored": [".env"],
    "files": {"/home/dev/work/other/.git": "directory", "/home/dev/work/other/x": "", "~/Documents/t": ""},
    "links": {"link": "~/Documents", "/tmp/home": "/home/dev"},
}
CASES = {
    "root": (["/"], ["/etc", APP]),
    "system": (["/etc", "/etc/hosts", "/usr/bin/x", "/var/lib", "/opt/x", "/home", "/mnt"], ["/", "/tmp/x", "/var/tmp/x", APP, "/data/x", "/home/dev"]),
    "home": (["/home/dev", "/root", "/home/other", "/Users/x"], ["/home", "/home/dev/x", "/"]),
    "home-entry": (["/home/dev/work", "/home/dev/Documents"], ["/home/dev/.ssh", "/home/dev/work/app", "/home/dev"]),
    "home-hidden": (["/home/dev/.config"], ["/home/dev/work", "/home/dev/.config/x"]),
    "repository-root": ([APP, "/home/dev/work/other"], [f"{APP}/src", "/home/dev"]),
    "repository-internal": ([f"{APP}/.git", f"{APP}/.git/index", f"{APP}/.jj/x"], [f"{APP}/.github/x", f"{APP}/.gitignore"]),
    "worktree": ([f"{APP}/src"], [APP, f"{APP}/.git/x", "/home/dev/x"]),
    "other-repository": ([], [f"{APP}/src/a.py"]),
    "tracked": ([f"{APP}/src/a.py", f"{APP}/src", f"{APP}/src/m.py"], [f"{APP}/new.txt"]),
    "modified": ([f"{APP}/src/m.py", f"{APP}/src"], [f"{APP}/src/a.py", f"{APP}/new.txt"]),
    "untracked": ([f"{APP}/new.txt", APP], [f"{APP}/src/a.py"]),
    "ignored": ([f"{APP}/.env"], [f"{APP}/new.txt"]),
    "outside": (["/home/dev/work/x", "/srv/x", f"{APP}/link/t"], [f"{APP}/x", "/tmp/x", APP]),
    "cwd": ([APP, "/home/dev", "/"], [f"{APP}/src", "/home/dev/x"]),
    "temporary": (["/tmp/x", "/var/tmp/x/y"], ["/tmp", "/tmpx"]),
    "temporary-root": (["/tmp", "/var/tmp"], ["/tmp/x"]),
    "cache": ([f"{APP}/node_modules", f"{APP}/build/x", "/home/dev/.cache/pip", f"{APP}/a.egg-info"], [f"{APP}/src", f"{APP}/builder"]),
    "device": (["/dev/sda", "/dev/mem"], ["/dev/null", "/dev/tty", "/dev/shm/x", "/dev"]),
    "device-safe": (["/dev/null", "/dev/fd/3"], ["/dev/sda"]),
    "credential": (["/home/dev/.ssh/id_rsa", "/home/dev/.ssh", "/etc/shadow", f"{APP}/key.pem"], ["/home/dev/.ssh/known_hosts", "/home/dev/.ssh/id.pub"]),
    "secret": ([f"{APP}/.env", f"{APP}/.env.local", f"{APP}/x/secrets.yml"], [f"{APP}/.env.example", f"{APP}/environment.py"]),
    "shell-startup": (["/home/dev/.bashrc", "/etc/profile"], ["/home/dev/bashrc"]),
    "agent-settings": (["/home/dev/.claude/settings.json", f"{APP}/.claude", f"{APP}/.codex/config.toml"], [f"{APP}/.claude/commands/x.md", f"{APP}/settings.json"]),
    "guard": (["/home/dev/.config/gatepost/config.toml", "/etc/gatepost", f"{APP}/.gatepost.toml"], ["/home/dev/.config/other"]),
    "missing": ([f"{APP}/nothing"], [f"{APP}/new.txt"]),
    "directory": ([f"{APP}/src"], [f"{APP}/new.txt"]),
    "file": ([f"{APP}/new.txt"], [f"{APP}/src"]),
    "symlink": ([f"{APP}/link"], [f"{APP}/src"]),
    "unknown": ([None], [APP]),
}  # fmt: skip


def place(path, *, environment=None, kind="delete", written=None, settings=None):
    effect = Effect(kind, path, value=Value(written, written or "") if written else None)
    request = Request(home="/home/dev", cwd=APP, environment=environment or {})
    question = Question(None, (effect,), request, settings or {}, 0)
    return Place(effect, Invocation("rm", (), cwd=APP), GivenWorld(WORLD), question)


def test_every_class_has_cases():
    assert set(CASES) == set(CLASSES)


@pytest.mark.parametrize("name", CASES)
def test_class(name):
    inside, outside = CASES[name]
    for path in inside:
        assert place(path).belongs(name), path
    for path in outside:
        assert not place(path).belongs(name), path


@pytest.mark.parametrize(
    ("folder", "sane"),
    [
        ("/", False),
        ("/var", False),
        ("/home", False),
        ("/home/dev", False),
        ("/home/dev/tmp", True),
        ("/scratch/tmp", True),
        ("relative/tmp", False),
    ],
)
def test_tmpdir_counts_only_when_it_is_a_temporary_folder(folder, sane):
    path = f"{folder.rstrip('/')}/x/y"
    assert place(path, environment={"TMPDIR": folder}).belongs("temporary") is sane


def test_tmpdir_of_root_excuses_nothing(decide):
    for folder in ("/", "/var", "/etc"):
        assert decide("rm -rf /etc/nginx", environment={"HOME": "/home/dev", "TMPDIR": folder}).action == "deny"


def test_a_link_is_followed_only_where_the_program_goes_through_it():
    assert not place(f"{APP}/link").belongs("home-entry")
    assert place(f"{APP}/link", written="link/").belongs("home-entry")
    assert place(f"{APP}/link", kind="write").belongs("home-entry")


def test_a_link_in_a_temporary_folder_excuses_nothing(decide):
    assert decide("rm -rf /tmp/home/work", world=WORLD).rule == "files/delete-home-entry"
    assert decide("rm -rf /tmp/other/work", world=WORLD).action == "pass"


def test_every_fact_is_asked_by_a_rule(shipped):
    asked = {"path_class"}
    for found in shipped.rules.values():
        for facts in (found.rule.when, found.rule.unless, *(f for m in found.rule.match for f in (m.when, m.unless))):
            asked |= set(facts.pairs())
    assert set(FACTS) - asked == set()


def test_every_fact_is_there():
    from policy.rules.predicates import ANYWHERE, find

    assert all(callable(find(name)) for name in FACTS)
    assert set(FACTS) >= ANYWHERE
