"""Sizes, durations and names for people."""

from __future__ import annotations


def show_size(size: float) -> str:
    """`4.0 GiB`, `100 MiB`, `12 KiB`, `7 B`."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            value = size / factor
            return f"{value:.1f} {unit}" if unit == "GiB" else f"{value:.0f} {unit}"
    return f"{int(size)} B"


def show_duration(seconds: float) -> str:
    """`350 ms`, `1.5 s`, `12 m 05 s`, `2 h 03 m`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} m {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} m"


def show_count(number: int, one: str, many: str) -> str:
    """`1 process`, `3 processes`."""
    return f"{number} {one if number == 1 else many}"


def show_name(text: str, most: int = 80) -> str:
    """A name from outside: control and bidirectional characters escaped, cut from the front so that its end stays."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return shown if len(shown) <= most else "…" + shown[1 - most :]
