"""Records: frozen, told apart by type, built by place or by name."""

from __future__ import annotations

import pytest

from policy.model import Option, Value, Word
from policy.record import Record


class Point(Record):
    x: int
    y: int = 0


class Other(Record):
    x: int
    y: int = 0


def test_defaults_and_names() -> None:
    assert Point(1) == Point(x=1, y=0) == Point(1, 0)
    assert Point(1).replace(y=2).as_dict() == {"x": 1, "y": 2}


def test_types_are_told_apart() -> None:
    assert Point(1) != Other(1)
    assert Point(1) != (1, 0)
    assert len({Point(1), Point(1), Other(1)}) == 2


@pytest.mark.parametrize("args", [((), {}), ((1, 2, 3), {}), ((1,), {"z": 1}), ((1,), {"x": 1})])
def test_a_wrong_field_is_an_error(args: tuple[tuple[int, ...], dict[str, int]]) -> None:
    with pytest.raises(TypeError):
        Point(*args[0], **args[1])


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        Word("a", (0, 1), "a").raw = "b"  # type: ignore[misc]


def test_match_and_repr() -> None:
    match Option("--hard", Value("x")):
        case Option(name, Value(text)):
            assert (name, text) == ("--hard", "x")
    assert repr(Point(1)) == "Point(x=1, y=0)"
