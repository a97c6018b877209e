"""One file for the modules of a start: made again when the code has changed or a trial failed, else kept."""

import pytest

from guards.install import bundle, pack
from policy import model, world
from policy.record import Record


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


@pytest.mark.parametrize(("other", "times"), [("code", 2), ("state", 1)])
def test_other_code_is_packed_anew_and_another_place_is_not(made, tmp_path, other, times):
    layout, calls, make = made
    pack.renew(layout, "hook", make(True))
    (tmp_path / "code").mkdir()
    moved = {"code": {"modules": (str(tmp_path / "code"),)}, "state": {"state": f"{layout.state}-moved"}}[other]
    pack.renew(layout.replace(**moved), "hook", make(True))
    assert len(calls) == times


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


def run(code, space):
    exec(code, space)  # noqa: S102  our own code, as a start runs it


@pytest.mark.parametrize("module", [model, world], ids=lambda module: module.__name__)
def test_packed_records_have_the_fields_of_their_source(module):
    space = {"__name__": "packed"}
    run(pack.code_of(module.__file__), space)
    records = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Record)]
    assert len(records) > 3
    for one in records:
        packed = space[one.__name__]
        assert packed._fields == one._fields
        assert list(packed._defaults) == list(one._defaults)
        assert len(packed._tail) == len(one._tail)


def test_a_packed_class_is_told_no_types(tmp_path):
    source = tmp_path / "one.py"
    source.write_text("class A:\n    x: int\n    y: int = 3\n\n\nclass B:\n    z: str\n\n\nn: int = 4\n")
    space = {}
    run(pack.code_of(str(source)), space)
    assert (space["A"].y, space["n"]) == (3, 4)
    assert not space["A"].__annotations__
    assert "__annotations__" not in space
    assert not hasattr(space["A"], "x")
