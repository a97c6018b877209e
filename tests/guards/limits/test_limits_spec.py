import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.limits import show, spec
from guards.limits.spec import Amount, SpecError

SIZES = {
    "1": 1,
    "4096": 4096,
    "1b": 1,
    "1k": 1000,
    "1KB": 1000,
    "1KiB": 1024,
    "1ki": 1024,
    "1.5 GiB": 3 << 29,
    "0.5g": 500_000_000,
    "2T": 2 * 10**12,
    "1tib": 1 << 40,
    " 7 mib ": 7 << 20,
    "0.1k": 100,
}
BAD_SIZES = [
    "",
    "0",
    "0.4",
    "-1",
    "+1",
    "nan",
    "inf",
    "1e3",
    "1x",
    "k",
    ".5g",
    "1.g",
    "1..2k",
    "99999999999t",
    "1 2",
    "1kk",
    "５k",
]
DURATIONS = {"1": 1.0, "90": 90.0, "1.5m": 90.0, "200ms": 0.2, "2h": 7200.0, "1d": 86400.0, "3S": 3.0}
BAD_DURATIONS = ["", "0", "0s", "-1", "1w", "s", "1e9", "inf", "99999999999d"]


@pytest.mark.parametrize(("text", "size"), SIZES.items())
def test_sizes(text, size):
    assert spec.parse_size(text) == size


@pytest.mark.parametrize("text", BAD_SIZES)
def test_bad_sizes(text):
    with pytest.raises(SpecError):
        spec.parse_size(text)


@pytest.mark.parametrize(("text", "seconds"), DURATIONS.items())
def test_durations(text, seconds):
    assert spec.parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", BAD_DURATIONS)
def test_bad_durations(text):
    with pytest.raises(SpecError):
        spec.parse_duration(text)


def test_amounts():
    assert spec.parse_amount("auto") == Amount("auto")
    assert spec.parse_amount("NONE") == Amount("none")
    assert spec.parse_amount("12.5%") == Amount("percent", 12.5)
    assert spec.parse_amount("100%") == Amount("percent", 100)
    assert spec.parse_amount("1k") == Amount("bytes", 1000)
    for text in ("0%", "101%", "%", "5%%", "auto%"):
        with pytest.raises(SpecError):
            spec.parse_amount(text)


def test_a_memory_limit_that_would_start_nothing_is_refused():
    with pytest.raises(SpecError, match="too small"):
        spec.parse_memory("1M")


def test_other_values():
    assert spec.parse_cores("0.5") == 0.5
    assert spec.parse_count("12") == 12
    assert spec.parse_nice("0") == 0
    for reader, text in (
        (spec.parse_cores, "0.001"),
        (spec.parse_cores, "2x"),
        (spec.parse_count, "0"),
        (spec.parse_count, "1.5"),
        (spec.parse_count, "-3"),
        (spec.parse_nice, "20"),
        (spec.parse_nice, "-5"),
    ):
        with pytest.raises(SpecError):
            reader(text)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for reader in (
        spec.parse_size,
        spec.parse_amount,
        spec.parse_duration,
        spec.parse_cores,
        spec.parse_count,
        spec.parse_nice,
    ):
        try:
            reader(text)
        except SpecError:
            continue


@given(st.integers(1, 1 << 50))
def test_shown_sizes_are_near(size):
    shown = show.show_size(size)
    if not shown.endswith(" B"):
        assert spec.parse_size(shown) == pytest.approx(size, rel=0.51)


def test_shown_durations():
    assert [show.show_duration(value) for value in (0.35, 1.5, 725, 7380)] == [
        "350 ms",
        "1.5 s",
        "12 m 05 s",
        "2 h 03 m",
    ]


def test_names_from_outside_say_nothing_of_their_own():
    assert show.show_name("pytest tests") == "pytest tests"
    assert show.show_name("a\x1b[2Jb\nc\u202ed") == "a\\x1b[2Jb\\nc\\u202ed"
    assert show.show_name("x" * 100 + "end", 10) == "…xxxxxxend"
