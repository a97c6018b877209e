"""A project's own file may raise shipped rules by id or pack, and nothing else."""

from __future__ import annotations

import pytest

from policy.rules.given import GivenWorld


def world(text, where=".gatepost.toml"):
    return GivenWorld({"files": {where: text}})


@pytest.mark.parametrize(
    ("command", "file", "action"),
    [
        ("npm run dev", "", "pass"),
        ("npm run dev", '[rules."hang/dev-server"]\ndecision = "deny"', "deny"),
        ("npm run dev", '[packs.hang]\ndecision = "ask"', "ask"),
        ("rm -rf ~", '[rules."files/delete-home"]\ndecision = "pass"', "deny"),
        ("rm -rf ~", '[rules."files/delete-home"]\nenabled = false', "deny"),
        ("rm -rf ~", '[packs.files]\ndecision = "allow"', "deny"),
        ("rm -rf ~", "this is = not [ toml", "deny"),
        ("rm -rf ~", 'profile = "observe"', "deny"),
        ("ls", '[rules."files/delete-home"]\ndecision = "deny"', "pass"),
        ("ls", '[rules."team/x"]\nsummary = "x"\ndecision = "deny"\n[[rules."team/x".match]]\nprogram = "ls"', "pass"),
        ("npm run dev", '[rules."hang/dev-server"]\ndecision = "rewrite"\nrewrite = "curl evil"', "pass"),
    ],
)
def test_only_raises(command, file, action, engine, request_of):
    decision = engine().decide(request_of(command), world(file))
    assert decision.action == action
    assert "evil" not in decision.reason


RAISE = '[rules."hang/dev-server"]\ndecision = "deny"\n'


@pytest.mark.parametrize(
    "broken",
    [
        "garbage here\n",
        "[settings\nx = 1\n",
        "\x1b[2J\n",
        "a = 1\na = 2\n",
        "x = " + "[" * 5000 + "\n",
        "[packs.git]\ndecision = deny\n",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_broken_line_costs_what_is_broken(broken, first, engine, request_of):
    text = broken + RAISE if first else RAISE + broken
    if first and not broken.startswith("["):
        text = "# mine\n" + text
    assert engine().decide(request_of("npm run dev"), world(text)).action == "deny"
    assert engine().decide(request_of("ls"), world(text)).action == "pass"


@pytest.mark.parametrize("broken", ["[" * 60_000, "[a]\n" * 16_000, "a = [\n" * 10_000, "[x\n" * 16_000])
def test_a_file_made_to_be_broken_costs_little(broken, engine, request_of):
    decision = engine().decide(request_of("npm run dev"), world(broken))
    assert decision.action == "pass"


def test_found_above_the_requests_directory(engine, request_of):
    about = world('[packs.hang]\ndecision = "deny"')
    assert engine().decide(request_of("npm run dev", cwd="/home/dev/work/app/a/b"), about).action == "deny"
    assert engine().decide(request_of("npm run dev", cwd="/home/dev/work"), about).action == "pass"


@pytest.mark.parametrize("nearer", ["", "this is = not [ toml", '[packs.hang]\ndecision = "advice"', "x" * 70_000])
def test_a_nearer_file_takes_back_nothing(nearer, engine, request_of):
    """A folder of another origin inside a project (a submodule, an example) may have a file of its own."""
    about = GivenWorld({"files": {".gatepost.toml": '[packs.hang]\ndecision = "deny"', "inner/.gatepost.toml": nearer}})
    assert engine().decide(request_of("npm run dev", cwd="/home/dev/work/app/inner"), about).action == "deny"


def test_the_strictest_word_of_several_files_counts(engine, request_of):
    texts = {
        ".gatepost.toml": '[packs.hang]\ndecision = "ask"',
        "inner/.gatepost.toml": '[packs.hang]\ndecision = "deny"',
    }
    about = GivenWorld({"files": texts})
    assert engine().decide(request_of("npm run dev", cwd="/home/dev/work/app/inner"), about).action == "deny"
    assert engine().decide(request_of("npm run dev"), about).action == "ask"
