"""Work that the request itself has put elsewhere before is not at stake; every way in which it would not be kept still is."""

import pytest

WORLD = {
    "modified": ["src/a.py", "img.bin"],
    "tracked": ["src/a.py", "img.bin", "src/b.py"],
    "untracked": ["notes.txt"],
    "files": {"src/a.py": "edited", "img.bin": "\0\1", "src/b.py": "", "notes.txt": "only here"},
}
BOTH = {**WORLD, "staged": ["src/a.py"], "staged_and_modified": ["src/a.py"]}
KEPT = (
    "git diff --binary > /tmp/wip.patch && git checkout -- .",
    "git diff --binary HEAD > /tmp/wip.patch && git reset --hard",
    "git diff --binary --output=/tmp/wip.patch && git restore .",
    "git diff --binary > wip.patch && git restore . && pytest -q && git apply wip.patch",
    "git diff src/a.py > /tmp/a.patch && git restore src/a.py",
    "git diff HEAD -- src > /tmp/a.patch && git checkout HEAD -- src",
    "cd src && git diff -- a.py > /tmp/a.patch && git checkout a.py",
    'p=$(mktemp) && git diff src > "$p" && git checkout src && pytest -q && git apply "$p"',
    "cp src/a.py /tmp/a.bak && git checkout src/a.py",
    "cp src/a.py /tmp/a.bak && git checkout src/a.py && pytest -q; cp /tmp/a.bak src/a.py",
    "cp -r src /tmp/src.bak && git restore src",
    "cp -a . /tmp/app.bak && git reset --hard && git clean -fd",
    "cp notes.txt /tmp/ && git clean -f notes.txt",
)
NOT_KEPT = (
    "git diff > /tmp/wip.patch && git checkout -- .",  # without --binary
    "git diff --binary > /tmp/wip.patch; git checkout -- .",
    "git diff --binary > /tmp/wip.patch || git checkout -- .",
    "git diff --binary > /dev/null && git checkout -- .",
    "git diff --binary && git checkout -- .",
    "git diff --binary --stat > /tmp/wip.patch && git checkout -- .",
    "git diff --binary --cached > /tmp/wip.patch && git checkout -- .",
    "git diff --binary main > /tmp/wip.patch && git checkout -- .",
    "git diff --binary -- docs > /tmp/wip.patch && git checkout -- .",
    "git diff --binary > /tmp/wip.patch && git checkout -- . && rm /tmp/wip.patch",
    "git diff --binary > /tmp/wip.patch && git checkout -- . && rm -rf /tmp/*",
    "git diff --binary > /tmp/wip.patch && git clean -fd",
    "git diff --binary > src/b.py && git checkout -- .",
    "git diff --binary > wip.patch && git clean -f",
    "git diff --binary > /tmp/wip.patch && echo x >> src/a.py && git checkout -- .",
    "cp src/a.py /tmp/a.bak && git checkout .",
    "cp src/a.py /tmp/a.bak; git checkout src/a.py",
    "cp -n src/a.py /tmp/a.bak && git checkout src/a.py",
    "cp -l src/a.py /tmp/a.bak && git checkout src/a.py",
    "cp src/a.py /dev/null && git checkout src/a.py",
    "cp src/a.py src/b.py && git checkout src",
    "cp src/a.py /tmp/a.bak && git checkout src/a.py && rm /tmp/a.bak",
    "cp src/a.py /tmp/a.bak && cp README.md /tmp/a.bak && git checkout src/a.py",
    "cp src/*.py /tmp && git checkout src",
    "ssh build1 'cp src/a.py /tmp/a.bak' && git checkout src/a.py",
    "cp src /tmp/src && git checkout src",
)


@pytest.mark.parametrize("text", KEPT)
def test_kept(decide, text):
    decision = decide(text, world=WORLD)
    assert decision.action not in {"ask", "deny"}, decision.reason


@pytest.mark.parametrize("text", NOT_KEPT)
def test_not_kept(decide, text):
    assert decide(text, world=WORLD).action in {"ask", "deny"}


@pytest.mark.parametrize(
    "text",
    ["git diff --binary HEAD > /tmp/p && git reset --hard", "cp -a src /tmp/s && git reset --hard"],
)
def test_a_staged_version_that_differs_is_kept_by_neither(decide, text):
    assert decide(text, world=BOTH).action == "deny"


def test_a_patch_of_what_is_staged(decide):
    staged = {"staged": ["src/a.py"], "tracked": ["src/a.py"], "files": {"src/a.py": "edited"}}
    assert decide("git diff --cached > /tmp/p && git reset --hard", world=staged).action not in {"ask", "deny"}
    assert decide("git diff > /tmp/p && git reset --hard", world=staged).action == "deny"
