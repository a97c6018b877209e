import os
import stat
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.limits import ledger
from guards.limits.ledger import Job
from guards.limits.procfs import boot_id, numbering
from guards.limits.procfs import stat as process
from guards.limits.store import Store, StoreError
from guards.limits.sweep import sweep

words = st.text(max_size=30)
# every field is given: what is left out would be drawn by its type, and a time that is no number equals nothing
records = st.builds(
    Job,
    identity=st.builds("{}-{}".format, st.integers(2, 9999), st.integers(0, 9999)),
    boot=words,
    state=st.sampled_from(["running", "waiting", "left"]),
    command=words,
    cwd=words,
    **dict.fromkeys(("budget", "observed", "ticket", "passed", "most", "limit"), st.integers(0, 1 << 50)),
    **dict.fromkeys(("seen", "since"), st.floats(0, 1e10)),
    **dict.fromkeys(("slot", "within", "backend"), words),
    why=st.lists(st.sampled_from(["memory", "slot"]), max_size=2).map(tuple),
    groups=st.lists(words.filter(bool), max_size=3).map(tuple),
)


@given(records)
def test_a_record_reads_back_as_it_was(job):
    assert ledger.parse(job.identity, ledger.show(job)) == job


@given(records, st.data())
def test_half_a_record_is_no_record(job, data):
    text = ledger.show(job)
    assert ledger.parse(job.identity, text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(st.text())
def test_any_text_is_a_record_or_none(text):
    assert ledger.parse("12-34", text) is None


def test_a_record_under_another_name_is_none():
    job = Job("12-34", "b", "running")
    assert ledger.parse("12-35", ledger.show(job)) is None


@pytest.fixture
def store(tmp_path):
    made = Store(f"{tmp_path}/a/b/jobs")
    yield made
    made.close()


def test_the_folder_is_private(store):
    assert stat.S_IMODE(os.stat(store.path).st_mode) == 0o700
    with store:
        store.write("1-1", "x")
    assert stat.S_IMODE(os.stat(f"{store.path}/1-1").st_mode) == 0o600
    assert sorted(os.listdir(store.path)) == [".lock", "1-1"]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_refused(tmp_path, mode):
    folder = tmp_path / "jobs"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(StoreError, match="nobody else"):
        Store(str(folder))


def test_a_link_in_its_place_is_refused(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "jobs").symlink_to("real")
    with pytest.raises(StoreError):
        Store(f"{tmp_path}/jobs")


def test_a_planted_link_is_neither_read_nor_written_through(store, tmp_path):
    target = tmp_path / "target"
    target.write_text("kept")
    os.symlink(target, f"{store.path}/5-5")
    assert store.read("5-5") == ""
    store.write("5-5", "new")
    assert target.read_text() == "kept"
    os.symlink(target, f"{store.path}/.lock")
    with pytest.raises(StoreError), store:
        pass


def test_only_jobs_whose_holder_lives_count(store):
    own = process("self")
    child = subprocess.Popen([sys.executable, "-c", ""])
    gone = process(child.pid) or own.replace(pid=child.pid)
    child.wait()
    here = numbering()
    living = Job(f"{own.pid}-{own.start}", here, "running")
    others = [
        Job(f"{gone.pid}-{gone.start}", here, "running"),
        Job(f"{own.pid}-{own.start + 1}", here, "waiting"),
        Job(f"{own.pid}-{own.start - 1}", "another boot", "running"),
    ]
    for job in (living, *others):
        ledger.publish(store, job)
    (store_living, dead) = ledger.jobs(store)
    assert store_living == [living]
    assert sorted(job.identity for job in dead) == sorted(job.identity for job in others)


def test_a_holder_in_another_pid_namespace_lives_by_its_word(store):
    """Its pid is somebody else here, or nobody: it is neither asked for nor taken for dead while it renews its record."""
    elsewhere, now = f"{boot_id()} pid:[1]", time.monotonic()
    fresh = Job("4194303-1", elsewhere, "running", seen=now - 1)
    left = Job("4194303-2", elsewhere, "left")
    silent = Job("4194303-3", elsewhere, "running", seen=now - ledger.STALE - 1)
    for job in (fresh, left, silent):
        ledger.publish(store, job)
    living, dead = ledger.jobs(store)
    assert (living, dead) == ([fresh, left], [silent])
    assert sweep(store, dead) == []


def test_files_that_are_no_records_are_left_alone(store):
    with store:
        store.write("12-34", "not a record")
        store.write("odd name", "x")
    assert ledger.jobs(store) == ([], [])
    assert set(store.names()) == {"12-34", "odd name"}


def test_two_holders_of_the_lock_take_turns(store, tmp_path):
    code = (
        f"import sys; sys.path[:0] = [{os.getcwd()!r}]\n"
        "from guards.limits.store import Store\n"
        "store = Store(sys.argv[1])\n"
        "for _ in range(200):\n"
        "    with store:\n"
        "        store.write('1-1', str(int(store.read('1-1') or 0) + 1))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, store.path]) for _ in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert store.read("1-1") == "600"


@pytest.mark.parametrize(
    ("name", "age", "stays"),
    [
        (".12-34.77", 120, False),
        (".12-34.77", 0, True),
        (".backends.77", 120, False),
        (".backends", 120, True),
        (".lock", 120, True),
        ("12-34", 120, True),
    ],
)
def test_what_killed_writers_left_half_written_goes(store, name, age, stays):
    store.write("a", "x")
    os.rename(f"{store.path}/a", f"{store.path}/{name}")
    os.utime(f"{store.path}/{name}", (time.time() - age,) * 2)
    sweep(store, [])
    assert os.path.exists(f"{store.path}/{name}") is stays
