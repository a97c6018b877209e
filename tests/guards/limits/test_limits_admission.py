"""The reckoning of admission, without processes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.limits import admission
from guards.limits.admission import Policy, decide
from guards.limits.ledger import Job
from guards.limits.machine import Machine

GIB = 1 << 30
NOW = 1_000_000.0
CALM = Machine(
    total=16 * GIB,
    available=12 * GIB,
    swap_total=0,
    swap_free=0,
    cpus=4,
    load=0.1,
    pressure_some=0.0,
    pressure_full=0.0,
)
POLICY = Policy()


def job(number, state="waiting", **named):
    named = {"ticket": number, "seen": NOW, "since": NOW, "budget": GIB, **named}
    return Job(f"{number}-1", "boot", state, **named)


def answer(mine, others=(), machine=CALM, policy=POLICY):
    return decide(mine, others, machine, policy, NOW)


def test_room_for_one_is_given():
    found = answer(job(1))
    assert (found.admitted, found.refusing) == (True, ())


def test_what_others_have_reserved_and_not_taken_yet_is_not_given_twice():
    holder = job(1, "running", budget=10 * GIB, observed=2 * GIB)
    assert answer(job(2, budget=2 * GIB), [holder]).admitted
    assert answer(job(2, budget=3 * GIB), [holder]).refusing == ("memory",)


def test_an_old_figure_counts_for_nothing():
    holder = job(1, "running", budget=10 * GIB, observed=9 * GIB, seen=NOW - 31)
    assert not answer(job(2, budget=2 * GIB), [holder]).admitted


def test_the_floor_stays_free():
    machine = CALM.replace(available=2 * GIB)
    assert answer(job(1, budget=(2 * GIB) - int(1.6 * GIB)), machine=machine).admitted
    assert not answer(job(1, budget=GIB), machine=machine).admitted
    assert answer(job(1, budget=GIB), machine=machine, policy=Policy(min_free_percent=0)).admitted


def test_what_can_never_be_given_is_said_at_once():
    assert answer(job(1, budget=15 * GIB)).never
    assert not answer(job(1, budget=13 * GIB)).never


def test_a_job_inside_another_is_not_queued_for_memory():
    outer = job(1, "running", budget=12 * GIB)
    inner = job(3, within="1-1", budget=11 * GIB)
    waiting = job(2, budget=GIB)
    assert answer(inner, [outer, waiting]).admitted


def test_its_budget_is_not_counted_twice():
    outer = job(1, "running", budget=6 * GIB)
    inner = job(2, "running", budget=6 * GIB, within="1-1")
    assert answer(job(3, budget=4 * GIB), [outer, inner]).admitted


@pytest.mark.parametrize(
    ("machine", "policy", "reasons"),
    [
        (CALM.replace(pressure_some=3.0), POLICY, ()),
        (CALM.replace(pressure_some=10.0), POLICY, ()),
        (CALM.replace(pressure_some=10.0), Policy(max_pressure=1), ("pressure",)),
        (CALM.replace(pressure_some=30.0), POLICY, ("pressure",)),
        (CALM.replace(load=3.0), POLICY, ()),
        (CALM.replace(load=3.0), Policy(max_load=2.0), ("load",)),
        (CALM.replace(swap_total=GIB, swap_free=0), Policy(min_swap_free=1 << 20), ("swap",)),
        (CALM, Policy(min_swap_free=1 << 20), ()),
        (CALM.replace(pressure_some=None), POLICY, ()),
        (CALM.replace(pressure_some=None), Policy(refuse_unknown=True), ("unknown",)),
        (CALM.replace(available=None), POLICY, ()),
        (CALM.replace(available=None), Policy(refuse_unknown=True), ("unknown",)),
        (CALM.replace(pressure_some=30.0, load=9.0), Policy(max_load=1.0), ("pressure", "load")),
    ],
)
def test_signals(machine, policy, reasons):
    assert answer(job(1), machine=machine, policy=policy).refusing == reasons


class TestSlots:
    def test_at_most_so_many_at_once(self):
        one, two = (job(number, "running", slot="db", budget=0) for number in (1, 2))
        assert answer(job(3, slot="db", most=3), [one, two]).admitted
        assert answer(job(3, slot="db", most=2), [one, two]).refusing == ("slot",)
        assert answer(job(3, slot="other"), [one, two]).admitted

    def test_no_job_passes_another_that_waits_for_the_same_slot(self):
        holder = job(1, "running", slot="db", budget=0)
        waiting = job(2, slot="db", most=1)
        assert "queue" in answer(job(3, slot="db", most=2), [holder, waiting]).refusing

    def test_one_that_needs_no_slot_passes_freely(self):
        holder = job(1, "running", slot="db", budget=0)
        waiting = job(2, slot="db", passed=99, since=NOW - 1e6)
        found = answer(job(3), [holder, waiting])
        assert (found.admitted, found.passes) == (True, ())

    def test_a_job_inside_the_holder_does_not_wait_for_it(self):
        assert answer(job(2, slot="db", within="1-1"), [job(1, "running", slot="db")]).admitted


class TestQueue:
    big = job(1, budget=11 * GIB)
    holder = job(9, "running", budget=8 * GIB, observed=0)

    def test_one_that_fits_now_goes_first(self):
        assert answer(job(2), [job(1)]).refusing == ("queue",)

    def test_a_small_one_passes_a_large_one_that_does_not_fit(self):
        found = answer(job(2), [self.big, self.holder])
        assert (found.admitted, found.passes) == (True, (self.big,))

    @pytest.mark.parametrize("change", [{"passed": admission.BYPASSES}, {"since": NOW - admission.BYPASS_TIME}])
    def test_but_not_for_ever(self, change):
        assert answer(job(2), [self.big.replace(**change), self.holder]).refusing == ("queue",)

    def test_one_that_is_suspended_holds_nobody_up(self):
        assert answer(job(2), [job(1, seen=NOW - admission.SILENT - 1)]).admitted

    def test_a_later_one_is_nothing_to_wait_for(self):
        assert answer(job(1), [job(2)]).admitted


jobs = st.builds(
    lambda number, state, budget, observed, passed: job(number, state, budget=budget, observed=observed, passed=passed),
    st.integers(1, 50),
    st.sampled_from(["running", "waiting"]),
    st.integers(0, 8 * GIB),
    st.integers(0, 8 * GIB),
    st.integers(0, 6),
)


@given(st.lists(jobs, max_size=8), jobs, st.integers(0, 16 * GIB))
def test_never_more_is_promised_than_there_is(others, mine, available):
    machine = CALM.replace(available=available)
    found = answer(mine, others, machine)
    if found.admitted:
        promised = sum(other.unrealised(NOW) for other in others) + mine.budget
        assert promised <= max(admission.room(machine, POLICY), 0)
