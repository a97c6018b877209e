"""What was not looked at is not passed: in real repositories, at the bounds of what is read."""

from __future__ import annotations

import subprocess

import pytest

from guards.world import RealWorld
from policy.engine import Engine
from policy.model import Request


def git(folder, *words):
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(("git", *who, *words), cwd=folder, check=True, capture_output=True)


@pytest.fixture
def place(tmp_path):
    """A home with a repository `app`, in which `kept/` is ignored, and a linked tree `fix`."""
    app = tmp_path / "ada/work/app"
    app.mkdir(parents=True)
    git(app, "init", "-q", "-b", "main")
    for name, text in {".gitignore": "kept/\n", "a.py": "one\n", "b.py": "two\n"}.items():
        (app / name).write_text(text)
    git(app, "add", ".")
    git(app, "commit", "-q", "-m", "first")
    git(app, "worktree", "add", "-q", "-b", "fix", "../fix")
    return app


@pytest.fixture
def action(everything, place):
    home = str(place.parents[1])

    def judged(text):
        request = Request(text=text, cwd=str(place), home=home, environment={"HOME": home}, dialect="bash")
        return Engine.of(everything).decide(request, RealWorld({}, home)).action

    return judged


def test_a_tree_that_only_the_shell_knows_is_any_of_them(action, place):
    kept = place.parent / "fix/kept"
    assert action('git worktree remove "$W"') == "pass"
    kept.mkdir()
    (kept / "notes").write_text("mine")
    assert action('git worktree remove "$W"') == "ask"
    assert action("git worktree remove ../fix") == "deny"
    (place / "kept").mkdir()
    (place / "kept/notes").write_text("the main tree, which git never removes")
    (kept / "notes").unlink()
    kept.rmdir()
    assert action('git worktree remove "$W"') == "pass"


def test_a_pattern_is_held_against_what_is_edited_however_much_there_is_to_copy(action, place):
    made = place.parent / "made"
    made.mkdir()
    for number in range(2100):
        (made / f"0{number}.py").touch()
    (made / "b.py").write_text("three\n")
    assert action("cp ../made/*.py .") == "pass"
    (place / "b.py").write_text("edited\n")
    assert action("cp ../made/*.py .") == "ask"
    assert action("cp ../made/0*.py .") == "pass"


def test_a_file_in_conflict_is_named_work(action, place):
    git(place, "checkout", "-q", "-b", "other")
    (place / "a.py").write_text("other\n")
    git(place, "commit", "-q", "-am", "other")
    git(place, "checkout", "-q", "main")
    (place / "a.py").write_text("main\n")
    git(place, "commit", "-q", "-am", "main")
    assert action("7z a -sdel /tmp/x.7z a.py") == "pass"
    with pytest.raises(subprocess.CalledProcessError):
        git(place, "merge", "other")
    assert action("7z a -sdel /tmp/x.7z a.py") == "ask"


VOLUME = "services: {}\nvolumes:\n  data:\n"


def test_a_compose_file_that_is_not_read_may_share_its_volumes(action, place):
    asked = "docker compose -f docker-compose.test.yml down -v"
    (place / "docker-compose.yml").write_text(VOLUME)
    (place / "docker-compose.test.yml").write_text(VOLUME.replace("data", "scratch"))
    assert action(asked) == "pass"
    assert action(f'cd "$D" && {asked}') == "ask"
    (place / "docker-compose.test.yml").write_text("#" * 70_000 + "\n" + VOLUME)
    assert action(asked) == "ask"
