"""Every key of config.toml does something: for each a text whose answer it changes, or where it is read."""

from __future__ import annotations

import pytest

from policy.config import Config, Override, Settings
from policy.model import Request
from policy.rules import catalog
from policy.rules import compile as compiler
from policy.rules.given import GivenWorld
from policy.rules.schema import RuleError

REFS = {"refs": {"refs/heads/stable": "a", "refs/remotes/origin/stable": "b"}, "branch": "stable"}
# key: (config.toml, a text, the answer without, the answer with, the world)
SETTINGS = {
    "protected_branches": ("['stable']", "git push --force origin stable", None, "deny", REFS),
    "temporary": ("['/scratch']", "rm -rf /scratch/x", "ask", "pass", {}),
    "outside_is_fine": ("['~/tools/*']", "rm -rf ~/tools/x", "ask", "pass", {}),
    "attestation": (
        "['/usr/bin/reviewer']",
        "uv run exp_1.py",
        "deny",
        "rewrite",
        {"files": {"exp_1.py": "x"}, "attested": ["exp_1.py"]},
    ),
    "credentials": ("['~/vault/*']", "cat ~/vault/key", "pass", "deny", {}),
}
REVIEW = '[rules."conventions/first-run-review".parameters]\ncommands = ["uv run"]\nscripts = ["*exp_*.py"]\n'
OVERRIDES = {
    "enabled": ("enabled = false", "rm -rf /usr/lib", "deny", "ask"),
    "decision": ('decision = "ask"', "rm -rf /usr/lib", "deny", "ask"),
    "parameters": (None, None, None, None),
    "final": (None, None, None, None),
}
ELSEWHERE = {
    "profile": "guards.hook.judge, guards.shim.judge (observe), policy.rules.catalog (strict)",
    "limits": "guards.limits.configured",
    "shims": "shims.generate_shims, tests/shims",
    "hosts": "guards.shim.ssh",
    "rules": "test_layers",
    "packs": "test_layers",
    "final": "test_layers",
    "settings": "here",
}


@pytest.fixture
def answer(configured):
    def judged(text, config="", world=None):
        about = GivenWorld(world or {})
        request = Request(text=text, cwd=about.cwd, home=about.home, environment={"HOME": about.home}, dialect="bash")
        return configured(config).decide(request, about).action

    return judged


def test_no_key_is_left_out():
    assert set(Settings.model_fields) == set(SETTINGS)
    assert set(Override.model_fields) == set(OVERRIDES)
    assert set(Config.model_fields) == set(ELSEWHERE)


@pytest.mark.parametrize("key", SETTINGS)
def test_setting(key, answer):
    value, text, without, changed, world = SETTINGS[key]
    if without:
        assert answer(text, REVIEW, world) == without
    assert answer(text, f"{REVIEW}[settings]\n{key} = {value}\n", world) == changed


@pytest.mark.parametrize("key", [key for key, row in OVERRIDES.items() if row[0]])
def test_override(key, answer):
    line, text, without, changed = OVERRIDES[key]
    assert answer(text) == without
    assert answer(text, f'[rules."files/delete-home"]\n{line}\n') in {changed, "pass"}


@pytest.mark.parametrize(
    ("key", "line", "table"),
    [
        ("limits", "a = 1", {"a": 1}),
        ("hosts", "probe = true", {"probe": True, "timeout": 5, "remember": 300, "declined": 3600, "notify": ()}),
    ],
)
def test_tables_that_others_read_reach_the_compiled_file(key, line, table, tmp_path):
    (tmp_path / "config.toml").write_text(f"[{key}.x]\n{line}\n")
    sources = catalog.Sources(catalog.shipped(), (("user", str(tmp_path)),), "/opt/bin")
    content, _ = compiler.pack(sources, catalog.load(sources), check=False)
    assert content["config"][key] == {"x": table}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("prob = true", "probe"),
        ("timeout = 'soon'", "timeout"),
        ("remember = -1", "remember"),
        ("notify = ['ask-me']", "absolute path"),
        ("notify = 'ask-me'", "notify"),
    ],
)
def test_a_hosts_table_is_checked(line, told):
    with pytest.raises(RuleError, match=told) as error:
        Config.parse(f'[hosts."build-*"]\n{line}\n', "config.toml")
    assert "config.toml:2" in str(error.value)
