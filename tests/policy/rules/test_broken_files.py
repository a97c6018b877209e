"""A fault in a person's file costs what is faulty, never more: the rest stays in force, and what is told names file, line and key."""

from __future__ import annotations

import marshal
import os

import pytest

from policy.compiled import Compiled
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog, checked
from policy.rules import compile as compiler
from policy.rules.given import GivenWorld
from tests.layouts import keep
from tests.rule_texts import FROBNICATE as MINE

STASH = (
    MINE.replace("runs frobnicate", "stashes")
    .replace('program = "frobnicate"', 'command = "git stash push"')
    .replace("frobnicate x", "git stash push")
)


class Place:
    def __init__(self, root):
        self.folder = root / "user"
        self.compiled = root / "compiled"
        self.compiled.mkdir(mode=0o700)
        self.sources = catalog.Sources(catalog.shipped(), (("user", str(self.folder)),), "/opt/bin")

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def compile(self):
        return compiler.write(self.sources, str(self.compiled))

    def config(self):
        return Compiled.load(str(self.compiled)).config

    def says(self, text, **given):
        about = GivenWorld(given)
        request = Request(text=text, cwd=about.cwd, home=about.home, environment={"HOME": about.home}, dialect="bash")
        return Engine.load(str(self.compiled)).decide(request, about)


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    keep(made.compiled)
    return made


BROKEN_CONFIG = [
    # what breaks, the line that it is told for, a word of the message
    ("profile = strict\n", 1, "Invalid value"),
    ("[settings]\ntrusted_onwers = ['me']\n", 2, "trusted_onwers: unknown key"),
    ("[settings]\nprotected_branch = ['x']\n", 2, "did you mean 'protected_branches'?"),
    ('[rules."git/clean"]\nenabled = "no"\n', 2, "rules.git/clean.enabled"),
    ('[rules."git/clean"\nenabled = false\n', 1, "Expected ']'"),
    ('[rules."git/clean"]\ndecison = "ask"\n', 2, "did you mean 'decision'?"),
    ('profil = "strict"\n', 1, "did you mean 'profile'? this key"),
    # what to write instead is said
    ("profile = strict # soon\n", 1, '; a text stands in quotes: profile = "strict"; what else'),
    ("[settings]\ntemporary = /scratch/x\n", 2, 'in quotes: temporary = "/scratch/x"'),
    ("profile: strict\n", 1, 'have = between them: profile = "strict"'),
    ("[settings]\ntemporary: ['/x']\n", 2, "have = between them: temporary = ['/x']"),
    ("[rules.files/delete-home]\nfinal = true\n", 1, 'in quotes: [rules."files/delete-home"]'),
    ("[rules.files/delete-home.parameters]\nx = true\n", 1, 'in quotes: [rules."files/delete-home".parameters]'),
    ('[rules."git/clean"]\nenabled = False\n', 2, "write enabled = false"),
    ('[rules."git/clean"]\nenabled = yes\n', 2, "write enabled = true"),
    ('[rules."git/clean"]\nenabled = "no"\n', 2, ": true or false, without quotes"),
    ('\ufeffprofile = "strict"\n', 1, "byte order mark"),
    ('{"profile": "strict"}\n', 1, "looks like JSON"),
    ("x = " + "[" * 3000 + "\n", 1, "nested too deep"),
    ("[settings]\n[settings]\n", 2, "put its keys into the one above"),
    ('profile = "strict"\nprofile = "observe"\n', 2, "the key stands above already"),
]


@pytest.mark.parametrize(("broken", "line", "told"), BROKEN_CONFIG)
def test_a_fault_in_the_configuration_leaves_the_rest_of_it_in_force(place, broken, line, told):
    good = '[rules."hang/dev-server"]\ndecision = "deny"\n'
    path = place.put("config.toml", broken + good)
    (problem,) = place.compile()
    assert problem.startswith(f"{path}:{line}: ")
    assert told in problem
    assert place.config()["problems"] == (problem,)
    assert place.says("npm run dev").action == "deny"
    assert place.says("git clean -fdx", untracked=["a"]).action == "deny"


def test_a_configuration_that_is_no_text_leaves_the_shipped_rules_and_is_told(place):
    place.put("config.toml", "").write_bytes(b"profile = \xff\n")
    (problem,) = place.compile()
    assert "config.toml" in problem
    assert place.says("rm -rf ~").action == "deny"


def test_what_is_no_plain_file_is_told_and_not_waited_for(place):
    os.mkfifo(place.put("config.toml", "").with_name("pipe"))
    path = place.put("config.toml", "")
    path.unlink()
    path.with_name("pipe").rename(path)
    rule = place.put("rules/team/a.toml", "")
    rule.unlink()
    os.mkfifo(rule)
    for problem, wrong in zip(place.compile(), (rule, path), strict=True):
        assert problem == f"{wrong}: is no plain file; nothing of it is in force"
    assert place.says("rm -rf ~").action == "deny"


@pytest.mark.parametrize("stands", ["a file", "a dead link", "a pack that is closed"])
def test_rules_that_cannot_be_found_are_told(place, stands, tmp_path, monkeypatch):
    rule = place.put("rules/team/good.toml", MINE)
    folder = rule.parents[1]
    if stands == "a pack that is closed":
        listed = os.listdir

        def closed(path):
            if str(path) == str(rule.parent):
                raise PermissionError(13, "Permission denied", str(path))
            return listed(path)

        monkeypatch.setattr(os, "listdir", closed)
    else:
        folder.rename(tmp_path / "moved")
        folder.symlink_to("/nonexistent") if stands == "a dead link" else folder.write_text("x")
    (problem,) = place.compile()
    assert problem.startswith(str(folder))
    assert problem.endswith("is in force")
    assert place.says("rm -rf ~").action == "deny"


BROKEN_RULES = [
    ("rules/team/a.toml", MINE.replace('why = "it', 'wy = "it'), ":2: wy: unknown key; did you mean 'why'?"),
    ("rules/team/a.toml", MINE.replace("program =", "progam ="), ":5: match.0.progam: unknown key; did you mean 'program'?"),
    ("rules/team/a.toml", MINE.replace('"deny"\n[[match', '"no"\n[[match'), ":3: decision: "),
    ("rules/team/a.toml", MINE.replace("[[match]]", "[[match]"), ":4: "),
    ("rules/team/a.toml", MINE.replace('"frobnicate"', '"$programs"'), "$programs names no parameter"),
    ("rules/team/a.toml", 'like = "conventions/tool-not-use"\n', "did you mean 'conventions/tool-not-used'?"),
    ("rules/team/a.toml", "", 'summary: it is missing; write summary = "'),
    ("rules/team/a.toml", MINE.replace("[[match]]", "[match]"), "two brackets, [[match]]"),
    ("rules/team/a.toml", MINE.partition("[[example]]")[0] + '[example]\nrun = "frobnicate"\n', "two brackets, [[example]]"),
    ("rules/a.toml", MINE, "is in no pack"),
    ("rules/team/a.tml", MINE, "a rule's file ends in .toml"),
    ("rules/programs/a.toml", MINE, "this is not read"),
    ("rules/git/clean.toml", MINE, "git/clean already comes from built-in"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "told"), BROKEN_RULES)
def test_a_broken_rule_is_told_and_costs_no_other(place, name, text, told):
    path = place.put(name, text)
    place.put("rules/team/good.toml", MINE)
    (problem,) = place.compile()
    assert str(path) in problem
    assert told in problem
    assert place.says("frobnicate x").rule == "team/good"
    assert place.says("rm -rf ~").action == "deny"


PARAMETERS = [
    ('[rules."limits/named"]\nparameters = { program = ["make"] }\n', "did you mean 'programs'?"),
    ('[rules."limits/named"]\nparameters = { programs = 3 }\n', "parameters.programs: must be like"),
    ('[rules."git/clean"]\nparameters = { x = 3 }\n', "it has none"),
    ('[packs.limits]\nparameters = { program = ["make"] }\n', "no rule in it has a parameter 'program'"),
]


@pytest.mark.parametrize(("text", "told"), PARAMETERS)
def test_a_parameter_that_nothing_reads_is_told(place, text, told):
    place.put("config.toml", text)
    (problem,) = place.compile()
    assert told in problem


def test_a_person_s_rule_stands_although_it_refuses_what_a_shipped_rule_suggests(place):
    place.put("rules/team/no-stash.toml", STASH)
    assert place.compile() == ()
    assert any("refused by team/no-stash" in note for note in place.config()["notes"])
    assert place.says("git stash push").rule == "team/no-stash"
    refused = place.says("git reset --hard", modified=["a.py"])
    assert refused.rule == "git/reset-hard"
    assert not any("stash push" in text for text in refused.instead)


def test_a_stricter_pack_is_no_fault_of_the_shipped_rules(place):
    place.put("config.toml", '[rules."git/stash-shared"]\ndecision = "ask"\n[packs.hang]\ndecision = "deny"\n')
    assert place.compile() == ()


def test_a_rule_of_the_person_that_another_one_contradicts_stays(place):
    place.put("rules/team/one.toml", MINE.replace("[[match]]", 'instead = ["defrob x"]\n[[match]]', 1))
    place.put("rules/team/two.toml", MINE.replace("frobnicate", "defrob"))
    assert place.compile() == ()
    assert place.says("frobnicate x").rule == "team/one"
    assert place.says("frobnicate x").instead == ()


# --- the memory


def counted(monkeypatch):
    tried = []
    real = checked.tried_out

    def counting(found, everything):
        tried.append(found.id)
        return real(found, everything)

    monkeypatch.setattr(checked, "tried_out", counting)
    return tried


def test_only_what_changed_is_tried_again(place, monkeypatch):
    place.put("rules/team/one.toml", MINE)
    place.put("rules/team/two.toml", MINE.replace("frobnicate", "defrob"))
    place.compile()
    tried = counted(monkeypatch)
    place.compile()
    assert tried == []
    place.put("rules/team/one.toml", MINE.replace("frobnicate", "unfrob"))
    place.compile()
    assert tried == ["team/one"]


def test_what_failed_is_tried_each_time(place, monkeypatch):
    place.put("rules/team/one.toml", MINE.replace('run = "ls"', 'run = "frobnicate"'))
    assert place.compile() != ()
    tried = counted(monkeypatch)
    assert place.compile() != ()
    assert tried == ["team/one"]


def test_another_setting_or_profile_tries_the_person_s_rules_again(place, monkeypatch):
    place.put("rules/team/one.toml", MINE)
    place.compile()
    tried = counted(monkeypatch)
    place.put("config.toml", 'profile = "strict"\n')
    place.compile()
    place.put("config.toml", '[settings]\ntemporary = ["/scratch"]\n')
    place.compile()
    assert tried == ["team/one"] * 2


def test_another_state_of_the_code_tries_all_again(place, monkeypatch):
    place.compile()
    tried = counted(monkeypatch)
    monkeypatch.setattr(checked, "_code", lambda: "another")
    place.compile()
    assert len(tried) == len(list(catalog.rule_files(catalog.shipped())))


@pytest.mark.parametrize("harm", ["writable", "garbage", "list"])
def test_a_memory_that_cannot_be_trusted_is_none(place, monkeypatch, harm):
    place.put("rules/team/one.toml", MINE)
    place.compile()
    path = place.compiled / compiler.MEMORY
    if harm == "writable":
        path.chmod(0o666)
    else:
        path.write_bytes(b"\0garbage" if harm == "garbage" else marshal.dumps(["x"]))
    tried = counted(monkeypatch)
    place.compile()
    assert "team/one" in tried
