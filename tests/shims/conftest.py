"""Installations with shims of each kind, and a repository to run commands in with and without them."""

from __future__ import annotations

import shutil

import pytest

from tests.layouts import layout_at
from tests.shims.places import NEWER, SYSTEM, Place, install

KINDS = {"compiled": ("cc", SYSTEM), "compiled, newer git": ("cc", NEWER), "script": (None, SYSTEM)}


@pytest.fixture(scope="session", params=KINDS)
def installed(request, tmp_path_factory):
    """A layout with shims of one kind; `shims_path` says for which PATH they were made."""
    layout = layout_at(tmp_path_factory.mktemp("gate post"))
    install(layout, *KINDS[request.param])
    return layout


@pytest.fixture
def search(request):
    """The PATH that the kind of shims at hand was made for."""
    return KINDS[request.node.callspec.params["installed"]][1]


@pytest.fixture
def shims(installed):
    return installed.prefix + "/shims"


@pytest.fixture
def place(tmp_path, dirty_repo, git_env, shims, search):
    """The dirty repository, as often as needed."""
    (tmp_path / "home/.gitconfig").write_text("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
    pristine = tmp_path / "pristine"
    shutil.move(dirty_repo, pristine)
    return Place(tmp_path / "work", pristine, {**git_env, "PATH": search}, shims)
