"""Which backend is taken again: a kernel's for the whole boot, one that only looks as long as nothing may have changed, each in its own place."""

from types import SimpleNamespace

import pytest

from guards.limits import choose as chosen
from guards.limits import options
from guards.limits.backends import Wish
from guards.limits.limits import LimitSpec
from guards.limits.store import Store

ASKED = options.read(["true"])


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """`machine.can` are the backends to be had, `machine.take()` is the one that a run gets, `machine.said` what it was told."""

    def create(name, _wish):
        found.tried.append(name)
        kernel = name not in chosen.LOOKING
        made = SimpleNamespace(name=name, kernel=kernel, applied={"memory": 1, "pids": 1}, warnings=[], close=int)
        return made if name in found.can else f"no {name} here"

    def take(words=ASKED):
        found.tried = []
        wish = Wish("1-1", LimitSpec(memory=1 << 30, pids=9))
        return chosen.choose(words, wish, Store(str(tmp_path / "limits")), found.said.append).name

    found = SimpleNamespace(can={"proc"}, tried=[], said=[], now=1000.0, view="mnt:[1]", take=take)
    monkeypatch.setattr(chosen, "create", create)
    monkeypatch.setattr(chosen.time, "monotonic", lambda: found.now)
    monkeypatch.setattr(chosen.posix, "readlink", lambda _path: found.view)
    return found


def test_a_fall_back_is_said_once_and_believed_for_a_while(machine):
    assert [machine.take(), machine.take()] == ["proc", "proc"]
    assert machine.tried == ["proc"]
    machine.now += chosen.DOUBT
    assert machine.take() == "proc"
    assert machine.tried[0] != "proc"
    assert len(machine.said) == 1


def test_groups_that_a_person_gave_since_are_taken(machine):
    assert machine.take() == "proc"
    machine.can.add("cgroup2")
    machine.now += chosen.DOUBT
    assert [machine.take(), machine.take()] == ["cgroup2", "cgroup2"]
    assert machine.tried == ["cgroup2"]


def test_what_a_sandbox_sees_counts_only_there(machine):
    machine.can.add("cgroup1")
    assert machine.take() == "cgroup1"
    machine.view, machine.can = "mnt:[2]", {"proc"}
    assert machine.take() == "proc"
    machine.view, machine.can = "mnt:[1]", {"cgroup1", "proc"}
    assert machine.take() == "cgroup1"


def test_a_kernel_backend_is_kept_for_the_boot_and_left_when_it_fails(machine):
    machine.can.add("cgroup1")
    assert machine.take() == "cgroup1"
    machine.now += 10 * chosen.DOUBT
    assert machine.take() == "cgroup1"
    assert machine.tried == ["cgroup1"]
    machine.can = {"proc"}
    assert machine.take() == "proc"


def test_a_clock_of_another_kind_is_no_reason_to_fail(machine, tmp_path):
    assert machine.take() == "proc"
    path = tmp_path / "limits/.backends"
    for text in (path.read_text().replace(" 1000", ""), path.read_text().replace(" 1000", " x"), "\n\n", "proc\n"):
        path.write_text(text)
        assert machine.take() == "proc"


@pytest.mark.parametrize(
    ("words", "message"), [(["true"], "no limit can"), (["--require-kernel", "true"], "no kernel limit can")]
)
def test_where_nothing_can_be_had_the_reasons_are_told(machine, words, message):
    machine.can = set()
    with pytest.raises(chosen.Unfit, match=f"{message} be had here .*cgroup1: no cgroup1 here"):
        machine.take(options.read(words))
