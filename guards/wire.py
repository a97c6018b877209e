"""JSON in and out on the hot path: the C scanner and the C string encoder, without the `json` package (7 ms)."""

from __future__ import annotations

import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Malformed(Exception):  # noqa: N818
    """The text is not exactly one JSON document; the message says what is wrong with it, in a clause."""


def _no_constant(name: str) -> object:
    raise Malformed(f"it holds the number {name}")


class _Strict:
    """What the C scanner reads its options from."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_no_constant)
    memo: dict[str, str] = {}  # noqa: RUF012


_SPACE = " \t\n\r"
_scan = _json.make_scanner(_Strict())  # type: ignore[arg-type]


def decode(text: str) -> Any:
    """The value of exactly one JSON document. Raises Malformed and nothing else."""
    start = len(text) - len(text.lstrip(_SPACE))
    if start == len(text):
        raise Malformed("it is empty")
    try:
        value, end = _scan(text, start)
    except RecursionError:
        raise Malformed("it is nested too deep") from None
    except (StopIteration, SystemError, ValueError):  # SystemError: 3.11's scanner where json.decoder is not loaded
        raise Malformed("it is no whole JSON document") from None
    if text[end:].strip(_SPACE):
        raise Malformed("something follows the JSON document")
    return value


def encode(value: object) -> str:
    """A value of dict, list, tuple, str, bool, int, float, None as JSON in ASCII, without blanks. Raises TypeError for any other."""
    if isinstance(value, str):
        return str(_json.encode_basestring_ascii(value))
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{encode(str(key))}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(encode, value)) + "]"
    raise TypeError(f"{type(value).__name__} has no JSON form")
