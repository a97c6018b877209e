"""Which hosts a command line of ssh, scp, sftp or rsync would talk to."""

from __future__ import annotations

import pytest

from guards.shim import sshline

HOSTS = [
    ("ssh", "beta", ["beta"]),
    ("ssh", "me@BETA. uptime", ["beta"]),
    ("ssh", "-p22 beta", ["beta"]),
    ("ssh", "-p 22 -l me beta ls", ["beta"]),
    ("ssh", "-vp 22 beta", ["beta"]),
    ("ssh", "-lme -v beta", ["beta"]),
    ("ssh", "beta echo -V", ["beta"]),
    ("ssh", "beta -p 22 ls -G", ["beta"]),
    ("ssh", "-V beta", []),
    ("ssh", "-Q cipher", []),
    ("ssh", "-G beta", []),
    ("ssh", "-O exit beta", []),
    ("ssh", "-- -V", ["-v"]),
    ("ssh", "ssh://me@beta:2222", ["beta"]),
    ("ssh", "[::1]", ["::1"]),
    ("ssh", "::1", ["::1"]),
    ("ssh", "a@b@beta", ["beta"]),
    ("ssh", "-J jump,other beta", ["beta"]),
    ("ssh", "-oProxyJump=jump beta", ["beta"]),
    ("ssh", "", []),
    ("scp", "f beta:/tmp", ["beta"]),
    ("scp", "-P 22 -i key beta:f .", ["beta"]),
    ("scp", "-rP22 me@beta:f gamma:g", ["beta", "gamma"]),
    ("scp", "./a:b beta:", ["beta"]),
    ("scp", "scp://me@beta:22/path .", ["beta"]),
    ("scp", "[::1]:f .", ["::1"]),
    ("scp", "a b", []),
    ("sftp", "beta", ["beta"]),
    ("sftp", "-b batch -P 22 me@beta:/dir", ["beta"]),
    ("sftp", "sftp://me@beta:22/x", ["beta"]),
    ("rsync", "-a src beta:dst", ["beta"]),
    ("rsync", "-avze beta:x src dst", []),
    ("rsync", "-avz -e ssh beta:x dst", ["beta"]),
    ("rsync", "--exclude beta:cache src dst", []),
    ("rsync", "--exclude=beta:cache src gamma:dst", ["gamma"]),
    ("rsync", "BETA::module .", ["beta"]),
    ("rsync", "rsync://me@beta:873/module .", ["beta"]),
    ("rsync", "user@BETA.:x .", ["beta"]),
    ("rsync", "-a -- -x beta:y", ["beta"]),
    ("rsync", "--rsh ssh --files-from list / beta:", ["beta"]),
    ("rsync", "--version beta:x", []),
    ("rsync", "--server --sender . beta:x", []),
    ("rsync", "-a ./a:b /c:d dst", []),
]


@pytest.mark.parametrize(("program", "text", "hosts"), HOSTS)
def test_hosts(program, text, hosts):
    assert [end.host for end in sshline.read(program, text.split()).endpoints] == hosts


def test_the_way_to_the_host():
    line = sshline.read("scp", ["-P", "2222", "-i", "key", "-J", "jump", "-oUser=me", "-F", "file", "f", "me@beta:"])
    assert line.how == ("-p2222", "-ikey", "-Jjump", "-oUser=me", "-Ffile")
    assert line.jumps == ("jump",)
    assert line.config == "file"
    assert sshline.read("ssh", ["-oProxyJump=a,me@b:22", "x"]).jumps == ("a", "b")


def test_a_module_is_a_daemon():
    assert [end.daemon for end in sshline.read("rsync", ["a::m", "b:x", "rsync://c/m"]).endpoints] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BatchMode=yes", ("batchmode", "yes")),
        ("ConnectTimeout 5", ("connecttimeout", "5")),
        ('User = "me"', ("user", "me")),
    ],
)
def test_settings(text, found):
    assert sshline.setting(text) == found
