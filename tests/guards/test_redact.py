"""Secrets are taken out of kept text; what is no secret stays byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guards import redact

SECRETS = [
    ("API_TOKEN=abc123 make", "API_TOKEN=[hidden] make"),
    ("export DB_PASSWORD='two words'; ls", "export DB_PASSWORD='[hidden]'; ls"),
    ('curl -H "Authorization: Bearer abc.def" x', 'curl -H "Authorization: Bearer [hidden]" x'),
    ("curl -u bob:hunter2 https://h", "curl -u bob:[hidden] https://h"),
    ("curl --user bob:hunter2 https://h", "curl --user bob:[hidden] https://h"),
    ("git clone https://bob:hunter2@h.example/x.git", "git clone https://bob:[hidden]@h.example/x.git"),
    ("tool --password hunter2 run", "tool --password [hidden] run"),
    ("tool --password=hunter2 run", "tool --password=[hidden] run"),
    (
        """curl -d '{"password": "hunter2", "user": "bob"}' h""",
        """curl -d '{"password": "[hidden]", "user": "bob"}' h""",
    ),
    ("""curl -d '{"api_key":"hunter2"}' h""", """curl -d '{"api_key":"[hidden]"}' h"""),
    ("token = 'hunter2'", "token = '[hidden]'"),
    ("sshpass -p hunter2 ssh h", "sshpass -p [hidden] ssh h"),
    ("mysql -u root -phunter2 db", "mysql -u root -p[hidden] db"),
    ("/usr/bin/redis-cli -a hunter2 ping", "/usr/bin/redis-cli -a [hidden] ping"),
    ("echo ghp_0123456789abcdefghij", "echo [hidden]"),
    ("echo x=AKIA0123456789ABCDEF;ls", "echo x=[hidden];ls"),
    ("p='-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' ls", "p='[hidden]' ls"),
    ("cat <<E\n-----BEGIN RSA PRIVATE KEY-----\nAAAA", "cat <<E\n[hidden]"),
]


@pytest.mark.parametrize(("source", "shown"), SECRETS)
def test_a_secret_is_hidden(source: str, shown: str) -> None:
    assert redact.text(source) == shown


@pytest.mark.parametrize(
    "source",
    [
        "git reset --hard",
        "ls -u .",
        "sort -u names",
        "git push https://h.example/x",
        "echo sk-short",
        "git log --author=bob",
        "",
    ],
)
def test_what_is_no_secret_stays(source: str) -> None:
    assert redact.text(source) == source


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(["TOKEN=", "--password ", "Authorization: Bearer ", "https://u:"]))
def test_a_marked_value_never_survives(around: str, mark: str) -> None:
    around = around.replace("'", "").replace('"', "")
    assert "hunter2hunter2" not in redact.text(f"{around} {mark}hunter2hunter2@h {around}")
