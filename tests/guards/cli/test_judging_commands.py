"""check, explain, parse, rules and config on a working installation of their own."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from guards import layout as places
from guards.cli.main import main
from policy.rules import compile as compiler
from policy.rules.catalog import shipped, sources
from tests.layouts import keep
from tests.rule_texts import FROBNICATE as MINE


@pytest.fixture
def at(layout, monkeypatch):
    """An installation with compiled rules and nothing else; `user` writes the person's files and compiles."""
    monkeypatch.setattr(places, "_baked", [layout])
    monkeypatch.setenv("HOME", layout.prefix)
    keep(layout.compiled)
    return Installation(layout)


class Installation:
    def __init__(self, layout):
        self.layout = layout
        self.compile()

    def compile(self):
        compiler.write(
            sources(self.layout.managed, self.layout.config, self.layout.bin), self.layout.compiled, check=False
        )

    def user(self, config="", **rules):
        folder = Path(self.layout.config)
        (folder / "rules" / "team").mkdir(parents=True, exist_ok=True)
        (folder / "config.toml").write_text(config)
        for name, text in rules.items():
            (folder / "rules" / "team" / f"{name}.toml").write_text(text)
        self.compile()


def run(*words, status=0, given=None):
    result = CliRunner().invoke(main, list(words), input=given)
    assert result.exit_code == status, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (["ls -la"], 0),
        (["rm -rf /"], 1),
        (["npm publish"], 3),
        (["uv run x"], 0),
        (["npm run dev"], 0),
        (["rm", "-rf", "/"], 1),
    ],
)
def test_check_says_by_its_exit_status(command, status, at):
    run("check", *command, status=status)


def test_check_without_a_command_is_wrong_usage(at):
    run("check", status=2)
    run("check", "--host", "nobody", "ls", status=2)


@pytest.mark.parametrize("command", ["check", "explain"])
@pytest.mark.parametrize(
    "words",
    [
        ("--jsno", "rm -rf /"),
        ("--nonsense",),
        ("--", "-x"),
        ("--cwd", "/nowhere", "ls"),
        ("--cwd", "/etc/passwd", "ls"),
    ],
)
def test_a_mistyped_option_or_folder_is_wrong_usage_and_no_pass(at, command, words):
    run(command, *words, status=2)


def test_check_reads_standard_input_and_answers_in_json(at):
    said = json.loads(run("check", "--json", "-", given="cd /\nrm -rf *\n", status=1))
    assert said["action"] == "deny"
    assert said["findings"][0]["where"] == "/"


def test_check_for_a_host_that_cannot_ask(at):
    run("check", "--host", "codex", "npm publish", status=1)
    run("check", "--host", "claude", "npm publish", status=3)


def test_check_judges_the_directory_that_is_named(at, tmp_path):
    (tmp_path / "keep" / ".git").mkdir(parents=True)
    assert f'in "{tmp_path}' in run("explain", "--cwd", str(tmp_path), "ls")


def test_check_tells_what_it_could_not_use(at):
    at.user(broken=MINE.replace("why", "wy"))
    result = CliRunner().invoke(main, ["check", "ls"])
    assert result.exit_code == 2
    assert "did you mean 'why'?" in result.stderr
    assert CliRunner().invoke(main, ["check", "rm -rf /"]).exit_code == 1


def test_explain_shows_commands_rules_facts_and_the_answer(at):
    shown = run("explain", "cd lib && bash -c 'rm -rf /'")
    assert "through bash" in shown
    assert "files/delete-home: deny" in shown
    assert "path_class holds" in shown
    assert "deny by files/delete-home" in shown
    assert "no rule objects" in run("explain", "ls")


def test_explain_in_json(at):
    said = json.loads(run("explain", "--json", "rm -rf / && npm run dev"))
    assert [c["program"] for c in said["commands"]] == ["rm", "npm"]
    assert said["commands"][0]["effects"] == [{"kind": "delete", "path": "/", "recursive": True}]
    assert {"fact": "path_class", "wanted": True, "held": True, "names": [], "total": 0, "note": ""} in said[
        "commands"
    ][0]["rules"][0]["facts"]


def test_explain_of_hostile_text_stays_on_its_lines(at):
    shown = run("explain", "rm -rf '/\x1b[2J\u202e\nfake'")
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_parse_shows_every_command(at):
    shown = run("parse", 'for f in *; do rm "$f"; done')
    assert '"rm"' in shown
    assert "in for" in shown
    script = json.loads(run("parse", "--json", "-", given="A=1 ls > x"))
    assert script["commands"][0]["words"][0]["value"] == "ls"
    run("parse", "echo $(", status=1)


def test_rules_list_and_show(at):
    assert "files/delete-home" in run("rules", "list", "--pack", "files")
    rows = json.loads(run("rules", "list", "--json"))
    assert {"id", "decision", "layer", "file", "origin"} <= rows[0].keys()
    at.user('[rules."files/delete-home"]\ndecision = "ask"\n')
    assert "decision  ask, from user" in run("rules", "show", "files/delete-home")
    run("rules", "show", "files/nothing", status=1)


def test_a_rule_in_a_minute(at):
    path = Path(run("rules", "new", "team/frob").splitlines()[0])
    assert path.is_relative_to(at.layout.config)
    run("rules", "new", "team/frob", status=1)
    run("rules", "new", "Team/Frob", status=2)
    run("rules", "test", "team/frob")
    at.compile()
    assert json.loads(run("check", "--json", "frob something-bad", status=1))["rule"] == "team/frob"
    path.write_text(path.read_text().replace('expect = "pass"', 'expect = "deny"').replace("frob --help", "ls"))
    run("rules", "test", "team/frob", status=1)


def test_an_attested_version_of_a_script_runs_and_no_other(at, tmp_path):
    script, store = tmp_path / "exp_1.py", tmp_path / "store"
    script.write_text("print(1)\n")
    at.user(f"""[rules."conventions/first-run-review".parameters]
commands = ["python"]
scripts = ["*exp_*.py"]
store = "{store}"
""")
    run("check", "--cwd", str(tmp_path), "python exp_1.py", status=1)
    run("rules", "attest", "--store", str(store), str(script))
    run("check", "--cwd", str(tmp_path), "python exp_1.py", status=0)
    script.write_text("print(2)\n")
    run("check", "--cwd", str(tmp_path), "python exp_1.py", status=1)


def test_rules_schema_is_json_schema(at):
    schema = json.loads(run("rules", "schema"))
    assert {"summary", "why", "decision", "match"} <= set(schema["properties"])


def test_rules_docs_check(at, tmp_path):
    shutil.copytree(f"{shipped()}/limits", tmp_path / "limits")
    run("rules", "docs", "--check", "--folder", str(tmp_path), status=1)
    run("rules", "docs", "--folder", str(tmp_path))
    run("rules", "docs", "--check", "--folder", str(tmp_path))


def test_config_show_says_where_each_value_comes_from(at):
    at.user('profile = "strict"\n[settings]\ntemporary = ["/scratch"]\n[rules."hang/follow"]\nenabled = false\n')
    shown = run("config", "show", "--origin")
    assert 'profile = "strict"    # user' in shown
    assert 'settings.temporary = ["/scratch"]    # user' in shown
    assert "settings.credentials = []    # built-in" in shown
    assert 'rules."hang/follow".enabled = false    # user' in shown
    assert json.loads(run("config", "show", "--json"))["profile"] == {"value": "strict", "origin": "user"}


def test_config_set_writes_and_keeps(at):
    run("config", "set", "profile", "strict")
    run("config", "set", 'rules."hang/follow".enabled', "false")
    run("config", "set", "settings.temporary", '["/scratch"]')
    path = Path(at.layout.config) / "config.toml"
    wanted = {
        "profile": "strict",
        "rules": {"hang/follow": {"enabled": False}},
        "settings": {"temporary": ["/scratch"]},
    }
    assert tomllib.loads(path.read_text()) == wanted


@pytest.mark.parametrize(
    ("present", "words"),
    [
        ("this is [ no toml", ("profile", "strict")),
        ('profil = "strict"', ("profile", "strict")),
        ("# why: Tuesday\n", ("profile", "strict")),
        ("", ("profil", "strict")),
        ("", ("profile", "loose")),
        ('profile = "strict"', ("profile.x", "1")),
    ],
)
def test_config_set_refuses_rather_than_harm(present, words, at):
    path = Path(at.layout.config) / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(present)
    run("config", "set", *words, status=1)
    assert path.read_text() == present
