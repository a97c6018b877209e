"""One file for the modules of a start: made again when the code has changed or a trial failed, else kept."""

import pytest

from guards.install import bundle, pack


@pytest.fixture
def made(layout, tmp_path):
    """The layout with its folder, and what `make` was called for."""
    (tmp_path / "gate post/prefix/compiled").mkdir(parents=True)
    calls = []

    def make(whole):
        def write(where):
            calls.append(where)
            with open(pack.path(where, "hook"), "w", encoding="utf-8"):
                return whole

        return write

    return layout, calls, make


@pytest.mark.parametrize(("whole", "times"), [(True, 1), (False, 2)])
def test_only_what_is_whole_is_kept(made, whole, times):
    layout, calls, make = made
    for _ in range(2):
        pack.renew(layout, "hook", make(whole))
    assert len(calls) == times


def test_other_code_is_packed_anew(made):
    layout, calls, make = made
    pack.renew(layout, "hook", make(True))
    pack.renew(layout.replace(state=f"{layout.state}-moved"), "hook", make(True))
    assert len(calls) == 2


@pytest.mark.parametrize(
    "code", ["raise SystemExit(3)\n", "import nowhere\n", "print('code\\tx\\ty')\nraise OSError\n"]
)
def test_a_trial_that_fails_tells_nothing(layout, code):
    assert pack.tried(layout, code) == ({}, {})


def test_a_trial_tells_modules_and_libraries(layout):
    modules, libraries = pack.tried(
        layout, f"import sys\nsys.path[:0] = {list(layout.modules)!r}\nimport guards.layout, _ctypes\n"
    )
    assert modules["guards.layout"].endswith("/guards/layout.py")
    assert "_ctypes" in libraries or "_ctypes" in __import__("sys").builtin_module_names


def test_a_hook_that_cannot_be_tried_is_packed_as_not_whole(made, monkeypatch):
    layout, _, _ = made
    monkeypatch.setattr(bundle, "PROBE", "raise SystemExit(1)\n")
    assert bundle.write(layout) is False
