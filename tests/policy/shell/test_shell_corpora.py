"""Texts as they are: requests of agents, and the shell scripts of the machine that runs the tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy.shell import Limits, Unparsed, parse

FOLDERS = [
    "/usr/bin",
    "/usr/sbin",
    "/etc/init.d",
    "/usr/lib/git-core",
    "/var/lib/dpkg/info",
    "/usr/share/bash-completion",
    "/usr/share/bash-completion/completions",
    "/etc/bash_completion.d",
    "/etc/profile.d",
]
SOURCED = ("bash-completion", "bash_completion.d", "profile.d")
LARGE = Limits(size=10_000_000, steps=10_000_000)


@pytest.mark.parametrize("dialect", ["bash", "sh", "zsh", "unknown"])
def test_every_request_of_the_corpus_is_read(requests, dialect):
    refused = []
    for text in requests:
        try:
            script = parse(text, dialect)
        except Unparsed as error:
            refused.append((str(error), text))
            continue
        assert all(text[word.span[0] : word.span[1]] == word.raw for word in exact_words(script))
    assert len(refused) * 500 <= len(requests), refused[:5]


def exact_words(script):
    return [word for command in script.commands if command.exact for word in command.words]


def shell_scripts():
    for folder in FOLDERS:
        for path in sorted(Path(folder).glob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes()
            first = data[:200].split(b"\n")[0]
            shebang = first.startswith(b"#!") and first.split()[-1].rsplit(b"/")[-1] in (
                b"sh",
                b"bash",
                b"dash",
                b"-e",
                b"-eu",
                b"-u",
            )
            if (shebang and b"sh" in first) or any(part in folder for part in SOURCED):
                yield path, data.decode("utf-8", "surrogateescape")


def test_every_shell_script_of_the_system_is_read():
    count, refused = 0, []
    for path, text in shell_scripts():
        count += 1
        try:
            script = parse(text, "bash", LARGE)
        except Unparsed as error:
            if (
                subprocess.run(
                    ["bash", "--norc", "-O", "extglob", "-n", path], capture_output=True, stdin=subprocess.DEVNULL
                ).returncode
                == 0
            ):
                refused.append((str(path), str(error)))
            continue
        assert all(text[word.span[0] : word.span[1]] == word.raw for word in exact_words(script))
    if not count:
        pytest.skip("no shell scripts here")
    assert len(refused) * 500 <= count, refused
