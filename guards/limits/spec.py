"""Sizes, durations, cores and counts as people write them. Pure text and numbers; cheap to import."""

from __future__ import annotations

from policy.record import Record

LARGEST, LARGEST_COUNT = 1 << 62, 1 << 30
MOST_DIGITS = 40
"""More are no number that anybody means, and some thousands are more than the interpreter reads."""
MOST_CORES, LONGEST = 4096, 1e9
SMALLEST_MEMORY = 4 << 20
"""A memory limit below this would not let an ordinary program start, and tiny limits have hung user managers (systemd#40208)."""

SIZE_UNITS = {
    "": 1,
    "b": 1,
    "k": 1000,
    "kb": 1000,
    "m": 1000**2,
    "mb": 1000**2,
    "g": 1000**3,
    "gb": 1000**3,
    "t": 1000**4,
    "tb": 1000**4,
    "ki": 1 << 10,
    "kib": 1 << 10,
    "mi": 1 << 20,
    "mib": 1 << 20,
    "gi": 1 << 30,
    "gib": 1 << 30,
    "ti": 1 << 40,
    "tib": 1 << 40,
}
DURATION_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class SpecError(ValueError):
    """A value that cannot be read; the message names it and the form expected."""


class Amount(Record):
    """A memory figure that may depend on the machine: kind is bytes, percent (of total memory), auto or none."""

    kind: str
    value: float = 0


def _split(text: str) -> tuple[str, str, str]:
    """Whole digits, fraction digits and the lower-case unit of `12.5 GiB`; SpecError when it does not start with a plain number."""
    text = text.strip()
    end = 0
    while end < len(text) and (text[end] in "0123456789."):
        end += 1
    whole, dot, fraction = text[:end].partition(".")
    if not whole or "." in fraction or (dot and not fraction):
        raise SpecError(f"{shown(text)} is not a number with a unit")
    if end > MOST_DIGITS:
        raise SpecError(f"{shown(text)} has too many digits")
    return whole, fraction, text[end:].strip().lower()


def parse_size(text: str) -> int:
    """Bytes of `512MiB`, `1.5 g`, `4096`; decimal units k m g t, binary ki mi gi ti, with or without b, in any case.

    Raises SpecError for zero, less than a byte, signs, exponents, unknown units and anything above 2**62.
    """
    whole, fraction, unit = _split(text)
    factor = SIZE_UNITS.get(unit)
    if factor is None:
        raise SpecError(f"{text!r}: unknown unit {unit!r}; use k, m, g, t (decimal) or Ki, Mi, Gi, Ti (binary)")
    size = int(whole) * factor + (int(fraction) * factor // 10 ** len(fraction) if fraction else 0)
    if size < 1:
        raise SpecError(f"{text!r} is less than one byte")
    if size > LARGEST:
        raise SpecError(f"{text!r} is too large")
    return size


def parse_amount(text: str) -> Amount:
    """A size, `P%` with 0 < P <= 100, `auto`, or `none`."""
    word = text.strip().lower()
    if word in {"auto", "none"}:
        return Amount(word)
    if not word.endswith("%"):
        return Amount("bytes", parse_size(text))
    whole, fraction, unit = _split(word[:-1])
    percent = float(f"{whole}.{fraction or 0}")
    if unit or not 0 < percent <= 100:
        raise SpecError(f"{text!r} is not a percentage between 0 and 100")
    return Amount("percent", percent)


def parse_memory(text: str) -> Amount:
    """As parse_amount, but refuses sizes below SMALLEST_MEMORY."""
    amount = parse_amount(text)
    if amount.kind == "bytes" and amount.value < SMALLEST_MEMORY:
        raise SpecError(f"{text!r} is too small for any program; the least is {SMALLEST_MEMORY >> 20} MiB")
    return amount


def parse_duration(text: str) -> float:
    """Seconds of `90`, `1.5m`, `200ms`, `2h`, `1d`; positive only."""
    whole, fraction, unit = _split(text)
    factor = DURATION_UNITS.get(unit)
    if factor is None:
        raise SpecError(f"{text!r}: unknown unit {unit!r}; use ms, s, m, h or d")
    seconds = float(f"{whole}.{fraction or 0}") * factor
    if seconds >= LONGEST:
        raise SpecError(f"{text!r} is too long; the most is {LONGEST / DURATION_UNITS['d']:.0f}d")
    if seconds <= 0:
        raise SpecError(f"{text!r} is not a positive duration")
    return seconds


def parse_cores(text: str) -> float:
    """CPU cores, at least 0.01."""
    try:
        whole, fraction, unit = _split(text)
    except SpecError:
        whole, fraction, unit = "0", "", ""
    cores = float(f"{whole}.{fraction or 0}")
    if unit or not 0.01 <= cores <= MOST_CORES:
        raise SpecError(f"{shown(text)} is not a number of cores from 0.01 to {MOST_CORES}")
    return cores


def parse_count(text: str) -> int:
    """A whole number above zero."""
    value = _whole(text)
    if not 0 < value <= LARGEST_COUNT:
        raise SpecError(f"{shown(text)} is not a whole number from 1 to {LARGEST_COUNT}")
    return value


def parse_nice(text: str) -> int:
    """An increment of niceness from 0 (leave it) to 19."""
    value = _whole(text)
    if not 0 <= value <= 19:
        raise SpecError(f"{shown(text)} is not a niceness from 0 to 19")
    return value


def _whole(text: str) -> int:
    """Plain digits as a number, -1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else -1


def shown(text: str) -> str:
    """A value as a message quotes it."""
    return repr(text if len(text) <= 2 * MOST_DIGITS else text[:MOST_DIGITS] + "…")
