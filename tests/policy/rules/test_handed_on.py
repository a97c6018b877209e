"""Programs that read what others hand them, and the look-alikes that nobody should be asked about."""

import pytest

EDITED = {"modified": ["src/a.py"], "tracked": ["src/a.py"]}
HOOKS = "repos:\n- repo: local\n  hooks:\n  - id: x\n    language: {}\n    entry: {}\n"
REFUSED = [
    ("printf 'all:\\n\\trm -rf ~/work\\n' | make -f -", {}),
    ("make -f - <<'E'\nall:\n\trm -rf ~/work\nE", {}),
    ("make -f /dev/stdin all <<< $'all:\\n\\trm -rf ~/work'", {}),
    ("make all", {"files": {"Makefile": "include common.mk\n", "common.mk": "all:\n\trm -rf ~/work\n"}}),
    ("make", {"files": {"Makefile": "-include a.mk b.mk\n", "b.mk": "all:\n\trm -rf ~/work\n"}}),
    ("git apply -R < <(git diff)", EDITED),
    ("git apply -R <(git diff)", EDITED),
    ("git diff > /tmp/p && git apply -R /tmp/p", EDITED),
    ("git diff > /tmp/p; git apply --reverse < /tmp/p", EDITED),
    ("tee src/a.py < /dev/null", EDITED),
    ("echo -n | tee src/a.py", EDITED),
    (": | tee src/a.py", EDITED),
    ("dd if=/dev/null of=src/a.py", EDITED),
    ("PERL5OPT='-Mevil -I.' perl x.pl", {}),
    ("RUBYOPT=-r./evil ruby x.rb", {}),
    ("NODE_OPTIONS='--require ./evil.js' node x.js", {}),
    ("PYTHONSTARTUP=evil.py python3 < x", {}),
    ("tox -e py", {"files": {"tox.ini": "[testenv]\ncommands =\n  pytest\n  rm -rf /home/dev/work\n"}}),
    ("tox run", {"files": {"tox.ini": "[testenv]\ncommands = rm -rf {env:X} /home/dev/work\n"}}),
    ("pre-commit run", {"files": {".pre-commit-config.yaml": HOOKS.format("system", "rm -rf /home/dev/work")}}),
    ("docker exec -i db psql < drop.sql", {"files": {"drop.sql": "DROP TABLE users;"}}),
    ("echo 'rm -rf /data' | docker exec -i c sh", {}),
    ("echo 'drop table users' | docker exec -i db psql -U x", {}),
    ("kubectl exec -i db -- psql <<< 'drop table users'", {}),
    ("trap 'rm -rf ~/work' EXIT; echo x", {}),
    ("( trap 'rm -rf \"$d\"' EXIT; d=~/work )", {}),
    ("trap 'rm -rf ~/work' ERR; false", {}),
    ("d=~/work; trap 'rm -rf \"$d\"' INT TERM EXIT", {}),
]
INNOCENT = [
    ("trap 'rm -rf \"$tmp\"' EXIT; tmp=$(mktemp -d)", {}),
    ('cleanup() { rm -rf "$tmp"; }; trap cleanup EXIT; tmp=$(mktemp -d); echo x > $tmp/y', {}),
    ("( trap 'rm -rf \"$tmp\"' EXIT; tmp=$(mktemp -d); echo x > $tmp/y )", {}),
    ("git branch --merged | xargs git branch -d", {}),
    ("git branch --merged main | grep -v main | xargs -r git branch -d", {}),
    ("NODE_OPTIONS=--max-old-space-size=4096 npm run build", {}),
    ("PERL5OPT=-w perl x.pl", {}),
    ("RUBYOPT=-W0 ruby x.rb", {}),
    ("tox -e py", {"files": {"tox.ini": "[testenv]\ncommands = pytest {posargs}\n"}}),
    ("pre-commit run -a", {"files": {".pre-commit-config.yaml": HOOKS.format("system", "ruff check")}}),
    ("pre-commit run -a", {"files": {".pre-commit-config.yaml": HOOKS.format("pygrep", "rm -rf ~/work")}}),
    ("docker exec -i db psql < schema.sql", {"files": {"schema.sql": "create table x(a int);"}}),
    ("echo hi | tee out.txt", EDITED),
    ("git diff > /tmp/p && git apply --check /tmp/p", EDITED),
    ("make test", {"files": {"Makefile": "include c.mk\ntest:\n\tpytest\n", "c.mk": "X=1\n"}}),
]
UNSURE_SHELL = [  # the same in every shell that may run it, or refused by all but one
    "echo $'it\\'s'",
    "git commit -m $'it\\'s done'",
    "git commit -m $'don\\'t' && git push",
    "ls *.py(N)",
    "ls **/*(.)",
    "print -l *(om[1])",
    "ls -d src/*(/N)",
]
NOT_THE_SAME = ["echo $'x\\'; rm -rf ~/work #'", "rm $'x\\' -rf ~/work #'", "ls *(e:'rm -rf ~/work':)", "ls *(+f)"]


@pytest.mark.parametrize(("text", "world"), REFUSED)
def test_what_is_handed_on_is_judged(decide, text, world):
    assert decide(text, world=world).action in {"ask", "deny"}


@pytest.mark.parametrize(("text", "world"), INNOCENT)
def test_look_alikes_are_no_question(decide, text, world):
    decision = decide(text, world=world)
    assert decision.action not in {"ask", "deny"}, decision.reason


@pytest.mark.parametrize("dialect", ["unknown", "bash"])
@pytest.mark.parametrize("text", UNSURE_SHELL)
def test_text_that_shells_agree_on_is_no_question(decide, text, dialect):
    if dialect == "bash" and "$'" not in text:
        dialect = "zsh"
    assert decide(text, dialect=dialect).action not in {"ask", "deny"}


@pytest.mark.parametrize("text", NOT_THE_SAME)
def test_text_that_one_shell_runs_otherwise_is_a_question(decide, text):
    assert decide(text, dialect="unknown").action in {"ask", "deny"}
