"""The grammar of jj against the installed jj: every command and option is known, and none of the commands waits for an editor."""

from __future__ import annotations

import subprocess

import pytest

from guards.shim import jjhelp
from policy.compiled import Compiled
from tests.guards.shim.conftest import needs_jj


@pytest.fixture(scope="session")
def grammar(installed):
    return Compiled.load(installed.compiled, check=False).grammars.get("jj")


@pytest.fixture
def helptext(bare):
    return subprocess.run(["jj", *jjhelp.ASKED], env=bare, capture_output=True, text=True, check=True).stdout


@needs_jj
def test_every_command_and_option_is_known(grammar, helptext):
    assert len(jjhelp.commands(helptext)) > 90
    assert jjhelp.differences(helptext, grammar) == []


NEWER = """
## `jj`

* `-R`, `--repository <REPOSITORY>` — Path to repository to operate on
* `--at-operation <AT_OPERATION>` [alias: `at-op`] — Operation to load the repo at

## `jj new`

* `-m`, `--message <MESSAGE>` — The change description to use
* `-A`, `--insert-after <REVSETS>` [aliases: `after`, `x`] — Insert
* `--no-edit <WHY>` — Do not edit
* a point in the text: `--frob` is no option, and `--edit/-e` neither

## `jj frobnicate`

* `--loud` — Loud
"""


def test_what_is_new_is_told(grammar):
    assert [str(one) for one in jjhelp.differences(NEWER, grammar)] == [
        "jj new -x",
        "jj new --no-edit",
        "jj frobnicate",
    ]


@pytest.mark.parametrize("script", ["exit 2", "echo usage", "printf '## `jj`\\n'"])
def test_a_jj_that_does_not_tell_is_no_known_one(installed, tmp_path, bare, script):
    program = tmp_path / "jj"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(OSError, match="named no command"):
        jjhelp.unknown(installed, str(program), bare)


ARGUMENTS = (
    ["a.txt"],
    ["-r", "@-"],
    ["@-"],
    ["-m", "x"],
    ["-m", "x", "a.txt"],
    ["--from", "@", "--into", "@-"],
    ["-r", "@", "--tool", ":builtin"],
    ["-i"],
)
"""What every command is tried with, beside no arguments at all."""

RUNS_ON = {
    "util exec",
    "run",
    "bisect run",
    "git clone",
    "git init",
    "util install-man-pages",
    "workspace remove",
    "git push",
    "git fetch",
    "gerrit upload",
}
"""Commands that are tried elsewhere, or that would reach a server."""


@pytest.fixture
def divided(in_repo, bare, tmp_path):
    """A repository with descriptions everywhere, a conflict and a divergent change, and editors that leave a trace."""
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/opened\nexit 1\n')
    editor.chmod(0o755)
    with open(bare["JJ_CONFIG"], "w") as file:
        file.write(f'[ui]\neditor = "{editor}"\ndiff-editor = "{editor}"\nmerge-editor = "{editor}"\n')
    for words in (
        ["describe", "-m", "third"],
        ["new", "@-", "-m", "side"],
        ["describe", "-m", "one"],
        ["describe", "-m", "two", "--at-op", "@-"],
        ["st"],
    ):
        in_repo("jj", *words, shims=False)
    return in_repo


@pytest.mark.full
@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_no_command_opens_an_editor(divided, helptext, tmp_path):
    start = divided(
        "jj", "op", "log", "-n1", "--no-graph", "-T", "id", "--ignore-working-copy", shims=False
    ).stdout.decode()
    for command in jjhelp.commands(helptext):
        if not command or command in RUNS_ON:
            continue
        for words in ([], *ARGUMENTS):
            divided("jj", *command.split(), *words)
            assert not (tmp_path / "opened").exists(), (command, words, (tmp_path / "opened").read_text())
        divided("jj", "op", "restore", start, "--ignore-working-copy", shims=False)


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_a_command_that_only_a_newer_jj_has_runs_without_editors(in_repo, tmp_path, fresh, bare):
    """A jj that has one command more, which opens every editor."""
    folder = tmp_path / "newer"
    folder.mkdir()
    newer = folder / "jj"
    newer.write_text(
        f'#!/bin/sh\ncase "$*" in *frobnicate*) echo "$JJ_EDITOR" "$@"; exit 3;; esac\nPATH={bare["PATH"]}; exec jj "$@"\n'
    )
    newer.chmod(0o755)
    environment = {**bare, "PATH": f"{fresh.prefix}/shims:{folder}:{bare['PATH']}"}
    done = subprocess.run(["jj", "frobnicate", "-x"], cwd=in_repo.root, env=environment, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr
    assert done.stdout.split() == [
        "/bin/false",
        "--config=ui.diff-editor=['/bin/false']",
        "--config=ui.merge-editor=['/bin/false']",
        "frobnicate",
        "-x",
    ]
    assert "JJ_EDITOR" not in environment


@pytest.mark.parametrize("jj_repo", ["pure"], indirect=True)
def test_an_alias_that_jj_brings_along_may_mean_something_else(in_repo, bare):
    assert in_repo("jj", "ci", "-m", "x").returncode == 0
    with open(bare["JJ_CONFIG"], "a") as file:
        file.write('aliases.ci = ["describe"]\naliases.b = ["diffedit"]\n')
    for words in (["ci"], ["b"], ["b", "-r", "@-"]):
        assert in_repo("jj", *words).returncode == 126, words
    assert in_repo("jj", "ci", "-m", "y").returncode == 0
    assert in_repo("jj", "log", "-r", "@", "--no-graph", "-T", "description").stdout == b"y\n"
