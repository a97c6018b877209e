"""Rewrites splice our command in front of those that they concern, once, and approve nothing."""

from __future__ import annotations

import pytest

from policy.rules.given import GivenWorld
from policy.rules.schema import RuleError

FRONT = "/opt/gatepost/bin/with-limits -- "
CASES = {
    "uv run pytest": f"{FRONT}uv run pytest",
    "cd lib && A=1 uv run x > out.txt": f"cd lib && A=1 {FRONT}uv run x > out.txt",
    "export A=1; uv run a; uv run b": f"export A=1; {FRONT}uv run a; {FRONT}uv run b",
    "timeout 5 uv run x": f"{FRONT}timeout 5 uv run x",
    "sudo env A=1 uv --quiet run x": f"{FRONT}sudo env A=1 uv --quiet run x",
    "bash -c 'uv run x; uv run y'": f"{FRONT}bash -c 'uv run x; uv run y'",
    "uv run x | tee log": f"{FRONT}uv run x | tee log",
    "time uv run x": f"time {FRONT}uv run x",
    "exec uv run x": f"exec {FRONT}uv run x",
    "command uv run x": f"command {FRONT}uv run x",
    "if uv run x; then echo ok; fi": f"if {FRONT}uv run x; then echo ok; fi",
    "for i in 1 2; do uv run x $i; done": f"for i in 1 2; do {FRONT}uv run x $i; done",
    "x=$(uv run x)": f"x=$({FRONT}uv run x)",
    "uvx ruff check": f"{FRONT}uvx ruff check",
    "uv tool run ruff": f"{FRONT}uv tool run ruff",
    "/home/dev/.local/bin/uv run x": f"{FRONT}/home/dev/.local/bin/uv run x",
}


@pytest.mark.parametrize(("text", "wanted"), CASES.items())
def test_spliced(text, wanted, engine, request_of):
    decision = engine().decide(request_of(text), GivenWorld({}))
    assert (decision.action, decision.rewrite) == ("rewrite", wanted)


@pytest.mark.parametrize(
    "text",
    [
        f"{FRONT}uv run x",
        "with-limits --memory 2G -- uv run x",
        "with-limits -- bash -c 'uv run x'",
        "uv sync",
        "echo uv run",
        "uv --version",
        "ssh host uv run x",
        "docker run --rm img uv run x",
    ],
)
def test_left_alone(text, engine, request_of):
    assert engine().decide(request_of(text), GivenWorld({})).rewrite is None


@pytest.mark.parametrize("text", ["eval 'uv run x'", "x() { uv run x; }; trap x EXIT; eval x"])
def test_none_where_a_word_is_the_shells_own(text, engine, request_of):
    assert engine().decide(request_of(text), GivenWorld({})).rewrite in (None, text.replace("uv run", f"{FRONT}uv run"))


def test_a_rewrite_carries_no_dangerous_command_through(engine, request_of):
    decision = engine().decide(request_of("uv run x; rm -rf ~"), GivenWorld({}))
    assert (decision.action, decision.rewrite) == ("deny", None)


def test_the_result_is_spelled_for_a_shell(everything, request_of):
    from policy.engine import Engine

    compiled = everything.plus({})
    compiled.config = {**everything.config, "bin": "/opt/gate post/bin"}
    decision = Engine.of(compiled).decide(request_of("uv run x"), GivenWorld({}))
    assert decision.rewrite == "'/opt/gate post/bin/with-limits' -- uv run x"


SUITE = 'decision = "rewrite"\nrewrite = "with-limits --slot=database --wait=20m"\n[[match]]\nprogram = "pytest"\noperand = ["tests/db*"]\n'
ANY = 'decision = "rewrite"\nrewrite = "with-limits {options}"\n[parameters]\noptions = ""\n[[match]]\nprogram = "pytest"\n'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pytest -q tests/db", "pytest -q tests/db"),
        ("cd a && pytest tests/db_x | tee log", "cd a && pytest tests/db_x | tee log"),
    ],
)
def test_a_rule_gives_a_command_its_slot(text, wanted, engine, request_of):
    """Of two rules for one command the one with more to say counts."""
    front = FRONT.replace(" -- ", " --slot=database --wait=20m -- ")
    decision = engine({"own/any": ANY, "own/suite": SUITE}).decide(request_of(text), GivenWorld({}))
    assert decision.rewrite == wanted.replace("pytest", f"{front}pytest")


def test_a_rule_without_options_gives_none(engine, request_of):
    decision = engine({"own/any": ANY, "own/suite": SUITE}).decide(request_of("pytest -q"), GivenWorld({}))
    assert decision.rewrite == f"{FRONT}pytest -q"


@pytest.mark.parametrize(
    "rewrite",
    [
        "timeout 5",
        "with-limits --",
        "with-limits -c x",
        "with-limits --slot db",
        "with-limits pytest",
        "with-limits; rm x",
    ],
)
def test_what_is_not_our_command_with_options_is_no_rewrite(rewrite, engine):
    with pytest.raises(RuleError, match="value attached"):
        engine({"own/any": ANY.replace("with-limits {options}", rewrite)})
