import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.limits import limits, options
from guards.limits.machine import Machine
from guards.limits.options import Slot, UsageError
from guards.limits.spec import Amount

READ = [
    (["true"], {"command": ("true",)}),
    (["--", "--odd"], {"command": ("--odd",)}),
    (["-m", "2GiB", "--", "x", "-m", "1"], {"memory": Amount("bytes", 2 << 30), "command": ("x", "-m", "1")}),
    (["-m2GiB", "x"], {"memory": Amount("bytes", 2 << 30), "command": ("x",)}),
    (["--memory=50%", "x"], {"memory": Amount("percent", 50.0)}),
    (["--mem", "2G", "x"], {"memory": Amount("bytes", 2e9)}),
    (["-t", "1m", "--kill-after", "500ms", "x"], {"time": 60.0, "kill_after": 0.5}),
    (["--grace=1", "x"], {"kill_after": 1.0}),
    (["-q", "--report", "--report-json", "f", "x"], {"quiet": True, "report": True, "report_json": "f"}),
    (["-c", "echo hi; exit 3"], {"text": "echo hi; exit 3", "command": ()}),
    (["--shell", "/bin/bash", "-c", "x"], {"shell": "/bin/bash", "text": "x"}),
    (["--wait", "x"], {"wait": float("inf"), "command": ("x",)}),
    (["--wait=10m", "x"], {"wait": 600.0}),
    (["--wait-for-headroom=10m", "x"], {"wait": 600.0}),
    (["--slot", "db=2", "x"], {"slot": Slot("db", 2)}),
    (["--slot", "db", "x"], {"slot": Slot("db", 1)}),
    (["--core", "0", "--swap", "0", "x"], {"core": 0, "swap": 0}),
    (["--require-native", "x"], {"require_kernel": True}),
    (["--check-headroom", "--json"], {"check_headroom": True, "json": True}),
    (["--oom-partial=ok", "x"], {"oom_partial": True}),
    (["--help"], {"help": True}),
    (["--time", "none", "--slot=none", "x"], {"time": None, "slot": None, "lifted": ("time", "slot")}),
    (["--time", "none", "--time", "5", "x"], {"time": 5.0, "lifted": ()}),
    (["--time", "5", "--time=none", "x"], {"time": None, "lifted": ("time",)}),
    (["--memory", "none", "--report-json", "none", "x"], {"memory": Amount("none"), "report_json": "none"}),
    (["--wait", "--", "10m", "x"], {"wait": float("inf"), "command": ("10m", "x")}),
    (["--wait=none", "10m"], {"wait": None, "command": ("10m",)}),
    (["--wait", "-c", "x"], {"wait": float("inf")}),
    (["-c", "x", "--wait"], {"wait": float("inf")}),
    (
        ["--max-pressure", "4", "--min-memory-free-percent", "5%", "x"],
        {"max_pressure": 4.0, "min_memory_free_percent": 5.0},
    ),
    (["-"], {"command": ("-",)}),
]
WRONG = [
    ([], "no command"),
    (["--"], "no command"),
    (["--memory"], "needs a value"),
    (["--memory", "x", "y"], "not a number"),
    (["--memory=", "y"], "not a number"),
    (["--unknown", "y"], "unknown option"),
    (["--quiet=1", "y"], "takes no value"),
    (["-c", "x", "y"], "not both"),
    (["--shell", "/bin/sh", "y"], "needs -c"),
    (["--json", "y"], "belongs to"),
    (["--check-headroom", "y"], "only looks"),
    (["--check-headroom", "--wait"], "only looks"),
    (["--reserve", "1g", "--no-reservation", "y"], "exclude"),
    (["--leftover", "burn", "y"], "none of"),
    (["--slot", "=3", "y"], "NAME"),
    (["--slot", "a/b", "y"], "NAME"),
    (["--memory", "1M", "y"], "too small"),
    (["--max-pressure", "-1", "y"], "none of 1, 2, 4"),
    (["--max-pressure", "9", "y"], "none of 1, 2, 4"),
    (["--min-memory-free-percent", "200", "y"], "from 0 to 100"),
    (["--max-load-per-cpu", "x", "y"], "number from 0 up"),
    (["--oom-partial=yes", "y"], "'yes' is none of ok"),
    (["--oom-partial", "y"], "--oom-partial=VALUE"),
    (["--wait", "10m", "--", "y"], "--wait=10m"),
    (["--slot", "a", "--wait-for-headroom", "90", "y"], "--wait=90"),
    (["--cpu", "many", "y"], "not a number of cores"),
    (["--nice", "none", "y"], "not a niceness"),
    (["--report-json", "--", "y"], "--report-json needs a value"),
    (["--cpu", "5000", "y"], "from 0.01 to 4096"),
    (["--time", "99999d", "y"], "too long; the most is 11574d"),
    (["--slot", "a" * 65, "y"], "at most 64"),
    *(
        ([name, "9" * 5000, "y"], message)
        for names, message in [
            (("--memory", "--reserve", "--time"), "too many digits"),
            (("--cpu",), "from 0.01 to 4096"),
            (("--pids", "--tie-to"), "from 1 to"),
            (("--nice",), "from 0 to 19"),
            (("--max-load-per-cpu",), "number from 0 up"),
        ]
        for name in names
    ),
]


@pytest.mark.parametrize(("words", "expected"), READ, ids=[" ".join(words) for words, _ in READ])
def test_read(words, expected):
    asked = options.read(words)
    assert {name: getattr(asked, name) for name in expected} == expected


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(words)[:40] for words, _ in WRONG])
def test_refused(words, message):
    with pytest.raises(UsageError, match=message) as told:
        options.read(words)
    assert len(str(told.value)) < 250


@given(
    st.lists(st.one_of(st.sampled_from([*options.VALUES, *options.FLAGS, "--", "x"]), st.text(max_size=8)), max_size=8)
)
def test_any_words_are_read_or_refused(words):
    try:
        asked = options.read(words)
    except UsageError:
        return
    assert asked.command == tuple(words[len(words) - len(asked.command) :])


@pytest.mark.parametrize(
    ("memory", "expected"),
    [("0.1%", None), ("0.2%", "--memory: 0.2% is 2097 KiB here, too small for any program"), ("50%", None)],
)
def test_a_share_that_is_nothing_is_refused(memory, expected):
    machine = Machine(total=(1 << 30) if expected else 8 << 30, available=1 << 30)
    asked = options.read([f"--memory={memory}", "y"])
    if expected is None:
        assert limits.resolve(asked, machine, Amount("auto")).memory == pytest.approx(
            (8 << 30) * float(memory[:-1]) / 100
        )
    else:
        with pytest.raises(UsageError, match=expected):
            limits.resolve(asked, machine, Amount("auto"))
