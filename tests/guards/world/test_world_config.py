"""Configuration as git reads it: syntax, order of the files, includes, variables."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards.world import RealWorld
from guards.world.configuration import parse

SYNTAX = [
    "[core]\n\tpager = less -R ; a comment\n\tautocrlf\n",
    '[remote "origin"]\n\turl = "https://example.org/a b.git" # x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[alias]\n\tst = "!f() { git status \\"$@\\"; }; f"\n\tlong = log \\\n  --graph \\\n  --all\n',
    '[branch "a.b\\"c\\\\d"]\n\tmerge = refs/heads/x\n',
    "[core]\n\teditor = \n\t# whole\n\t; lines\n\n\tcomment = a\\tb\\nc\n",
    "[Core]\n\tPAGER=cat\n[core]\n  Editor   =   vi   \n",
    '[section.Sub]\n\tkey = "a"b" c"\n',
    "[a] x = 1\n[b]\ty=2\n",
    '[url "git@example.org:"]\n\tinsteadOf = "https://example.org/"\n',
]


def listed(sandbox, path) -> list[tuple[str, str]]:
    out = subprocess.run(
        [sandbox.program, "config", "--file", str(path), "--list", "-z"],
        env=sandbox.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = []
    for item in out.split("\0"):
        if item:
            key, newline, value = item.partition("\n")
            found.append((key, value if newline else "true"))
    return found


@pytest.mark.parametrize("text", SYNTAX)
def test_reads_a_file_like_git(sandbox, tmp_path, text):
    at = tmp_path / "config"
    at.write_text(text)
    assert parse(text) == listed(sandbox, at)


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_failing(text):
    assert isinstance(parse(text), list)


def world(sandbox, **variables: str) -> RealWorld:
    return RealWorld({**sandbox.environment, **variables}, str(sandbox.home))


def test_order_includes_and_conditions(sandbox, tmp_path):
    repo = sandbox.init("work/repo")
    (sandbox.home / ".gitconfig").write_text(
        "[a]\n\tone = global\n\ttwo = global\n[include]\n\tpath = more\n"
        '[includeIf "gitdir:~/work/"]\n\tpath = work.cfg\n[includeIf "gitdir:~/play/"]\n\tpath = play.cfg\n'
        '[includeIf "onbranch:main"]\n\tpath = branch.cfg\n[includeIf "onbranch:other/**"]\n\tpath = play.cfg\n'
    )
    for name, key in {"more": "included", "work.cfg": "work", "play.cfg": "play", "branch.cfg": "branch"}.items():
        (sandbox.home / name).write_text(f"[a]\n\t{key} = yes\n\ttwo = {key}\n")
    (sandbox.home / ".config" / "git").mkdir(parents=True)
    (sandbox.home / ".config" / "git" / "config").write_text("[a]\n\tone = xdg\n\tthree = xdg\n")
    sandbox.git("config", "a.four", "local", cwd=repo)
    keys = ["a.one", "a.two", "a.three", "a.four", "a.included", "a.work", "a.play", "a.branch", "a.none"]
    answers = world(sandbox)
    place = answers.repository(str(repo), {})
    for key in keys:
        told = sandbox.git("config", key, cwd=repo, check=False).strip() or None
        assert answers.config(place, key) == told, key


def test_variables_come_last(sandbox):
    repo = sandbox.init()
    sandbox.git("config", "clean.requireForce", "true", cwd=repo)
    variables = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "Clean.RequireForce", "GIT_CONFIG_VALUE_0": "false"}
    answers = world(sandbox, **variables)
    assert answers.config(answers.repository(str(repo), {}), "clean.requireforce") == "false"
    answers = world(sandbox, GIT_CONFIG_PARAMETERS="'clean.requireforce'='no' 'a.b=c d'")
    place = answers.repository(str(repo), {})
    assert (answers.config(place, "clean.requireForce"), answers.config(place, "a.b")) == ("no", "c d")
    (sandbox.home / "elsewhere").write_text("[a]\n\tb = elsewhere\n")
    answers = world(sandbox, GIT_CONFIG_GLOBAL=str(sandbox.home / "elsewhere"))
    assert answers.config(answers.repository(str(repo), {}), "a.b") == "elsewhere"


def test_worktree_configuration(sandbox):
    repo = sandbox.init()
    sandbox.git("config", "extensions.worktreeConfig", "true", cwd=repo)
    sandbox.git("config", "--worktree", "core.sparseCheckout", "true", cwd=repo)
    answers = world(sandbox)
    assert answers.config(answers.repository(str(repo), {}), "core.sparsecheckout") == "true"
