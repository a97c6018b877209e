"""The cached tables: equal to those of bashlex, used only when fresh and ours, and no import of bashlex or re with them."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from policy import shell
from policy.shell import tables
from policy.shell.productions import ACTIONS
from tests.heavy import HEAVY

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(shell, "tables_file", None)
    monkeypatch.setattr(tables, "_tables", None)
    return str(tmp_path / "tables")


def loaded_from_file(path):
    shell.use_tables(path)
    return tables._from_file(path)


def test_the_file_holds_what_bashlex_builds(path):
    tables.build(path)
    assert loaded_from_file(path) == tables._from_bashlex()[0]
    assert tables.load() == tables._from_bashlex()[0]


def test_every_production_has_an_action():
    productions, action, goto, _ = tables._from_bashlex()[0]
    assert {function for _, _, function in productions} <= set(ACTIONS)
    assert len(productions) == 168
    assert len(action) == len(goto) == 348


def contents(path):
    return marshal.loads(Path(path).read_bytes())  # noqa: S302  # written a moment ago


def spoil_mode(path):
    os.chmod(path, 0o666)  # noqa: S103  # just that must be noticed


def spoil_bytes(path):
    Path(path).write_bytes(Path(path).read_bytes()[:1000])


def spoil_stamp(path):
    form, tag, stamps, data = contents(path)
    stamps = [(name, modified, size + 1, digest) for name, modified, size, digest in stamps]
    Path(path).write_bytes(marshal.dumps((form, tag, stamps, data)))


def spoil_version(path):
    form, _, stamps, data = contents(path)
    Path(path).write_bytes(marshal.dumps((form, "cpython-00", stamps, data)))


def spoil_all(path):
    os.unlink(path)


@pytest.mark.parametrize("spoil", [spoil_mode, spoil_bytes, spoil_stamp, spoil_version, spoil_all])
def test_a_file_that_cannot_be_trusted_is_ignored(path, spoil):
    tables.build(path)
    os.chmod(path, 0o644)
    spoil(path)
    assert loaded_from_file(path) is None
    assert tables.load() == tables._from_bashlex()[0]


def test_a_new_date_alone_is_not_stale(path):
    tables.build(path)
    form, tag, stamps, data = contents(path)
    stamps = [(name, modified + 1, size, digest) for name, modified, size, digest in stamps]
    Path(path).write_bytes(marshal.dumps((form, tag, stamps, data)))
    os.chmod(path, 0o644)
    assert loaded_from_file(path) is not None


def bare(path, text):
    """Modules that are imported once `text` was parsed by a bare interpreter with the cached tables."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        f"from policy.shell import parse, use_tables; use_tables({path!r})\n"
        f"parse({text!r}, 'unknown'); print(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


COMPOUND = (
    "x=1 cd a && git log \"$(b 'c')\" | head 2>/dev/null <<E\n$x ${y:-z} $((1+2))\nE\ncase a in b) [[ -n c ]];; esac"
)


def test_no_costly_module_with_cached_tables(path):
    tables.build(path)
    modules = bare(path, COMPOUND)
    assert not modules & HEAVY
    assert "policy.shell.grammar" in modules


def test_plain_texts_load_no_grammar(path):
    modules = bare(path, "cd a && git commit -m 'fix it' | cat")
    assert not modules & {*HEAVY, "policy.shell.grammar", "policy.shell.reader", "policy.shell.words"}
