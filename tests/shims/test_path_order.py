"""bash, zsh and fish keep the shims first, after a re-read rc file and what mise does at each prompt and cd."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from shims import path_order

ODD = "it's $HOME `x`"

MISE = {
    "bash": '_mise_hook() { PATH="$MISE:$PATH"; }; PROMPT_COMMAND="_mise_hook${PROMPT_COMMAND:+;$PROMPT_COMMAND}"\n',
    "zsh": 'autoload -Uz add-zsh-hook; _mise_hook() { PATH="$MISE:$PATH" }; add-zsh-hook precmd _mise_hook; add-zsh-hook chpwd _mise_hook\n',
    "fish": "function _mise_hook --on-event fish_prompt --on-variable PWD; set -gx PATH $MISE $PATH; end\n",
}


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request, tmp_path):
    """Run lines in an interactive shell whose rc file holds mise, our text and then mise once more."""
    name = request.param
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine")
    for folder, word in ((ODD, "ours"), ("mise", "mise"), ("plain", "plain")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool").write_text(f"#!/bin/sh\necho {word}\n")
        (tmp_path / folder / "tool").chmod(0o755)
    home = tmp_path / "home"
    rc = {"bash": home / ".bashrc", "zsh": home / ".zshrc", "fish": home / ".config/fish/config.fish"}[name]
    rc.parent.mkdir(parents=True)
    text = path_order.text(name, str(tmp_path / ODD))
    rc.write_text(MISE[name] + text + MISE[name])
    argv = {"bash": ["bash", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish", "-i"]}[name]

    def run(lines, *, session="s", path=f"{tmp_path}/plain:/usr/bin:/bin"):
        environment = {
            "HOME": str(home),
            "PATH": path,
            "MISE": f"{tmp_path}/mise",
            "TERM": "dumb",
            "TMPDIR": str(tmp_path),
        }
        if session:
            environment["GATEPOST_SESSION"] = session
        script = f"script -qec {' '.join(argv)!r} /dev/null" if name == "fish" else None
        return subprocess.run(
            ["sh", "-c", script] if script else argv,
            input=lines + "\nexit\n",
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
        ).stdout

    run.shell, run.rc = name, rc
    return run


LINES = [
    "tool >OUT",
    "cd /tmp; tool >OUT",
    "source RC; tool >OUT",
    "source RC; source RC; cd /; tool >OUT",
]


@pytest.mark.parametrize("line", LINES)
def test_first_at_each_command(shell, tmp_path, line):
    out = tmp_path / "out"
    shell("\n".join(["true", line.replace("OUT", str(out)).replace("RC", str(shell.rc)), "true"]))
    assert out.read_text() == "ours\n"


def test_outside_of_a_session_it_does_nothing(shell, tmp_path):
    shell(f"tool >{tmp_path}/out", session="")
    assert (tmp_path / "out").read_text() == "mise\n"


def test_once_and_everything_else_kept(shell, tmp_path):
    ours = str(tmp_path / ODD)
    shell(f"true\nenv >{tmp_path}/out", path=f"{tmp_path}/plain:{ours}:/usr/bin:/bin:{ours}")
    line = next(line for line in (tmp_path / "out").read_text().splitlines() if line.startswith("PATH="))
    entries = line.removeprefix("PATH=").split(":")
    assert entries[0] == ours
    assert entries.count(ours) == 1
    assert [entry for entry in entries if entry not in (ours, f"{tmp_path}/mise")] == [
        f"{tmp_path}/plain",
        "/usr/bin",
        "/bin",
    ]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_silent_in_scripts(name, tmp_path):
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine")
    text = path_order.text(name, str(tmp_path))
    done = subprocess.run(
        [name, "-c", text],
        env={"PATH": os.environ["PATH"], "GATEPOST_SESSION": "s", "HOME": str(tmp_path)},
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_status_survives_the_prompt(tmp_path):
    text = path_order.text("bash", str(tmp_path))
    script = f"{text}\nfalse\n__gatepost_prompt\necho $?\ncd /nonexistent 2>/dev/null\necho $?\n"
    done = subprocess.run(
        ["bash", "-c", script], env={"PATH": "/usr/bin:/bin", "GATEPOST_SESSION": "s"}, capture_output=True, text=True
    )
    assert done.stdout == "1\n1\n"
