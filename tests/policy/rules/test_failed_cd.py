"""A `cd` into what is not there fails: what follows it without `&&` runs where the shell was."""

import pytest

DIRTY = {"modified": ["src/a.py"], "tracked": ["src/a.py"], "untracked": ["new.txt"], "files": {"full/x": "1"}}
HARMS = ("git reset --hard", "git checkout -- .", "git clean -fd", "rm -rf src", "git stash; git stash drop")
RUNS_HERE = (
    "cd /none; {}",
    "cd none\n{}",
    "cd /none && make; {}",
    "cd /none || true; {}",
    "cd /none; ls; {}",
    "cd none; cd deeper; {}",
    "pushd none; {}",
    "(cd none; {})",
    "bash -c 'cd none; {}'",
    "export A=1; git status; cd none\n{}",
    "if true; then cd none; {}; fi",
)
RUNS_ELSEWHERE = (
    "cd /none && {}",
    "cd /none && make && {}",
    "cd /none || exit 1; {}",
    "cd /none || {{ echo gone >&2; exit 1; }}\n{}",
    "for d in /none; do cd $d || continue; {}; done",
    "set -e\ncd /none\n{}",
    "set -o errexit; cd /none; {}",
    "set -euo pipefail; cd /none; {}",
    "mkdir -p /none; cd /none; {}",
    "tar xf /tmp/none.tgz; cd none; {}",
    "git clone -q https://example.com/o/none.git /none; cd /none; {}",
    "./make-it.sh; cd /none; {}",
    'd=$(mktemp -d); cd "$d"; {}',
)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("text", RUNS_HERE)
def test_a_failed_cd_saves_nothing(decide, text, harm):
    assert decide(text.format(harm), world=DIRTY).action in {"ask", "deny"}


@pytest.mark.parametrize("text", RUNS_ELSEWHERE)
def test_what_does_not_run_here_is_not_judged_here(decide, text):
    assert decide(text.format("git checkout -- ."), world=DIRTY).action not in {"ask", "deny"}


@pytest.mark.parametrize("text", ["cd full; git status; ls", "cd none; npm test", "cd none; git status"])
def test_plain_work_passes(decide, text):
    assert decide(text, world=DIRTY).action not in {"ask", "deny"}
