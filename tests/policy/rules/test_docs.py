from __future__ import annotations

import shutil

import pytest

from policy.rules import catalog, docs


def test_the_pages_say_what_the_rules_say():
    assert docs.drift(catalog.shipped()) == (), "run: gatepost rules docs"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(f"{catalog.shipped()}/limits", tmp_path / "limits")
    docs.write(str(tmp_path))
    return tmp_path


def test_written_pages_do_not_drift(folder):
    assert docs.drift(str(folder)) == ()
    assert docs.write(str(folder)) == ()
    page = (folder / "limits" / "README.md").read_text()
    assert "## limits/uv-run" in page
    assert "uvx ruff check    # rewrite" in page
    assert "[limits](limits/README.md)" in (folder / "README.md").read_text()


def test_a_changed_rule_is_drift(folder):
    rule = folder / "limits" / "uv-run.toml"
    rule.write_text(rule.read_text().replace("in an environment of its own", "somehow"))
    assert docs.drift(str(folder)) == (f"{folder}/limits/README.md",)


def test_a_page_written_by_hand_is_drift(folder):
    (folder / "README.md").write_text("mine")
    assert docs.drift(str(folder)) == (f"{folder}/README.md",)


def test_every_pack_says_what_it_is_about(shipped):
    assert {name.partition("/")[0] for name in shipped.rules} <= set(docs.PACKS)
