"""Layers, profiles, problems: what a person's files change, and what they cannot."""

from __future__ import annotations

import itertools

import pytest

from policy import compiled
from policy.compiled import Compiled, CompiledError, packed
from policy.config import Override
from policy.engine import Engine
from policy.model import Request
from policy.rules import catalog, layers
from policy.rules import compile as compiler
from policy.rules.given import GivenWorld
from policy.rules.schema import RuleError
from tests.layouts import keep
from tests.rule_texts import FROBNICATE as MINE


@pytest.fixture
def house(tmp_path):
    """Writes config.toml and rule files of a layer; compiles; judges."""
    made = House(tmp_path)
    keep(made.compiled)
    return made


class House:
    def __init__(self, root):
        self.root = root
        self.compiled = root / "compiled"
        self.compiled.mkdir(mode=0o700)
        self.sources = catalog.Sources(
            catalog.shipped(), (("managed", str(root / "managed")), ("user", str(root / "user"))), "/opt/bin"
        )

    def write(self, layer, text="", **rules):
        folder = self.root / layer
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(text)
        for name, rule in rules.items():
            at = folder / "rules" / "team" / f"{name}.toml"
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_text(rule)

    def compile(self, check=False):
        return compiler.write(self.sources, str(self.compiled), check=check)

    def decide(self, text, world=None):
        about = GivenWorld(world or {})
        request = Request(text=text, cwd=about.cwd, home=about.home, environment={"HOME": about.home}, dialect="bash")
        return Engine.load(str(self.compiled)).decide(request, about)

    def problems(self):
        return Compiled.load(str(self.compiled)).config["problems"]


def test_without_files_the_shipped_rules_stand(house):
    assert house.compile() == ()
    assert house.decide("rm -rf ~").rule == "files/delete-home"
    assert house.decide("frobnicate x").action == "pass"


def test_a_rule_of_the_person(house):
    house.write("user", mine=MINE)
    assert house.compile(check=True) == ()
    assert house.decide("frobnicate x").rule == "team/mine"


def test_a_user_file_that_does_not_parse_leaves_the_shipped_rules_on_and_is_told(house):
    house.write("user", mine=MINE.replace("[[match]]", "[[match]"))
    (problem,) = house.compile()
    assert "team/mine.toml" in problem
    assert house.problems() == (problem,)
    assert house.decide("rm -rf ~").action == "deny"


def test_a_misspelt_key_is_an_error_with_a_suggestion(house):
    house.write("user", "[settings]\ntrusted_onwers = ['me']\n", mine=MINE.replace("program", "progam"))
    told = "\n".join(house.compile())
    assert "settings.trusted_onwers: unknown key" in told
    assert "did you mean 'program'?" in told


def test_a_value_of_the_wrong_type_is_an_error(house):
    house.write("user", 'rules = { "hang/follow" = { enabled = "no" } }')
    assert "enabled" in house.compile()[0]


def test_an_unknown_rule_id_is_told_with_a_suggestion(house):
    house.write("user", '[rules."files/delete-hom"]\nenabled = false\n[packs.fles]\nenabled = false\n')
    told = "\n".join(house.compile())
    assert "did you mean 'files/delete-home'?" in told
    assert "did you mean 'files'?" in told


def test_a_rule_whose_example_fails_is_left_out_and_told(house):
    house.write("user", mine=MINE.replace('run = "ls"', 'run = "frobnicate"'))
    (problem,) = house.compile(check=True)
    assert "expected pass, got deny" in problem
    assert house.decide("frobnicate x").action == "pass"


def test_a_rule_whose_suggestion_is_refused_is_left_out_and_told(house):
    house.write("user", mine=MINE.replace("[[match]]", 'instead = ["rm -rf ~"]\n[[match]]', 1))
    (problem,) = house.compile(check=True)
    assert "its own suggestion `rm -rf ~` is refused" in problem


def test_enable_disable_and_decide_by_id_and_by_pack(house):
    house.write("user", '[packs.files]\ndecision = "ask"\n[rules."files/delete-repository"]\nenabled = false\n')
    house.compile()
    assert house.decide("rm -rf /usr/lib").action == "ask"
    assert house.decide("rm -rf .git").rule != "files/delete-repository"


def test_parameters_by_id(house):
    house.write("user", '[rules."limits/named"]\nparameters = { programs = ["make"] }\n')
    house.compile()
    assert house.decide("make -j8").rewrite == "/opt/bin/with-limits -- make -j8"


def test_a_rule_like_a_shipped_one_with_other_parameters(house):
    like = 'like = "conventions/tool-not-used"\n[parameters]\ncommands = ["npm"]\nuse = ["pnpm install"]\n'
    house.write("user", pnpm=like)
    assert house.compile(check=True) == ()
    decision = house.decide("npm install")
    assert (decision.action, decision.rule, decision.instead) == ("deny", "team/pnpm", ("pnpm install",))


def test_final_of_the_managed_layer_is_not_loosened_below(house):
    house.write("managed", '[rules."files/delete-home"]\nfinal = true\n')
    house.write("user", '[rules."files/delete-home"]\nenabled = false\n')
    assert "final and may not be loosened" in house.compile()[0]
    assert house.decide("rm -rf ~").action == "deny"


def test_what_is_final_may_only_become_stricter():
    """An allow speaks for a command, so it is looser than to have no opinion."""
    order = ("allow", "pass", "advice", "rewrite", "ask", "deny")
    for final, other in itertools.product(order, order):
        found = layers.Found("x/y", None, "managed", "", final, True, {}, {})
        assert layers._loosens(Override(decision=other), found) is (order.index(other) < order.index(final))
        assert layers._loosens(Override(enabled=False), found)


def test_final_of_ours_is_loosened_by_nobody_and_may_be_kept(house):
    house.write("managed", "[packs.self]\nenabled = false\n")
    house.write("user", '[rules."self/settings"]\ndecision = "ask"\n')
    assert len(house.compile()) >= 2
    assert house.decide("rm -rf ~/.claude").action == "deny"


def test_final_of_a_setting(house):
    house.write("managed", 'profile = "strict"\nfinal = ["profile"]\n')
    house.write("user", 'profile = "observe"\n')
    assert "profile is final" in house.compile()[0]
    assert Compiled.load(str(house.compiled)).config["profile"] == "strict"


def test_what_cannot_be_decided_follows_its_configuration(house):
    house.compile()
    assert house.decide("echo $(").action == "ask"
    house.write("user", '[rules."shell/unparsed"]\ndecision = "pass"\n')
    house.compile()
    assert house.decide("echo $(").action == "pass"
    house.write("user", '[packs.shell]\ndecision = "deny"\n')
    house.compile()
    assert house.decide("echo $(").action == "deny"


def test_profile_strict_answers_stricter(house):
    house.compile()
    assert [house.decide(text).action for text in ("cat .env", "echo $(", "npm run dev")] == ["ask", "ask", "pass"]
    house.write("user", 'profile = "strict"\n')
    house.compile()
    assert [house.decide(text).action for text in ("cat .env", "echo $(", "npm run dev")] == ["deny", "deny", "deny"]


def test_profile_observe_decides_as_usual(house):
    house.write("user", 'profile = "observe"\n')
    house.compile()
    assert house.decide("cat .env").action == "ask"
    assert Compiled.load(str(house.compiled)).config["profile"] == "observe"


def test_the_order_of_rules_decides_nothing(house):
    allow = MINE.replace('"deny"', '"allow"').replace("frobnicates", "is fine")
    for first, second in (("a", "b"), ("b", "a")):
        house.write("user", **{first: MINE, second: allow})
        house.compile()
        assert house.decide("frobnicate x").action == "deny"


def test_a_change_of_a_source_makes_the_compiled_file_stale(house):
    house.write("user", mine=MINE)
    house.compile()
    house.decide("ls")
    house.write("user", 'profile = "strict"\n', mine=MINE)
    with pytest.raises(CompiledError) as error:
        house.decide("ls")
    assert error.value.stale


def test_a_new_rule_makes_the_compiled_file_stale(house):
    house.compile()
    house.write("user", mine=MINE)
    with pytest.raises(CompiledError):
        house.decide("ls")


@pytest.mark.parametrize("harm", ["missing", "cut", "garbage", "writable", "version"])
def test_a_compiled_file_that_cannot_be_used_is_an_error(house, harm, monkeypatch):
    house.compile()
    (path,) = house.compiled.glob("policy.*")
    if harm == "missing":
        path.unlink()
    elif harm == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif harm == "garbage":
        path.write_bytes(b"0000000004\0\0\0\0")
    elif harm == "writable":
        path.chmod(0o666)
    else:
        monkeypatch.setattr("policy.compiled.VERSION", 99)
    with pytest.raises(CompiledError):
        house.decide("ls")


def test_a_policy_from_thousands_of_files_is_read_whole(house):
    """Its head, which names them, is longer than what is read of the file at first."""
    house.compile()
    (path,) = house.compiled.glob("policy.*")
    loaded = Compiled.load(str(house.compiled))
    grammars = {name: loaded.grammar_bytes[name] for name in loaded.grammar_bytes.keys()}  # noqa: SIM118
    stamp = {f"/nowhere/rules/pack/rule-{number}.toml": None for number in range(5000)}
    git = loaded.grammars.get("git")
    sections = {"buckets": {}, "grammars": grammars, "literals": {}}
    path.write_bytes(packed({"version": compiled.VERSION, "stamp": stamp, "config": loaded.config, **sections}))
    again = Compiled.load(str(house.compiled))
    assert (again.config, again.keys()) == (loaded.config, ())
    assert again.grammars.get("git") == git


def test_a_shipped_rule_that_is_broken_is_refused(house, tmp_path):
    shipped = tmp_path / "rules"
    (shipped / "programs").mkdir(parents=True)
    (shipped / "team").mkdir()
    (shipped / "team" / "mine.toml").write_text(MINE.replace('expect = "deny"', 'expect = "ask"'))
    with pytest.raises(RuleError):
        compiler.write(catalog.Sources(str(shipped)), str(house.compiled))


def test_what_is_not_there_is_told_with_its_line(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text(
        'profile = "strict"\n\n[packs.gti]\nenabled = true\n\n[rules."limits/named".parameters]\nprogram = ["make"]\n'
    )
    found = catalog.load(catalog.Sources(catalog.shipped(), (("user", str(tmp_path)),), "/opt/bin"))
    assert sorted(problem.partition(";")[0] for problem in found.problems) == [
        f"{config}:3: no pack is called 'gti'",
        f"{config}:7: limits/named: parameters.program: no such parameter",
    ]
