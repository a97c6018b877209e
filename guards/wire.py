"""JSON in and out on the hot path, without the `json` package (7 ms): the C scanner and the C string encoder, and those only when needed.

In many builds they are a file of their own, which costs half a millisecond to load. A document of objects, lists, texts without escapes,
numbers and constants is read without them, and so is a printable ASCII text written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Malformed(Exception):  # noqa: N818
    """The text is not exactly one JSON document; the message says what is wrong with it, in a clause."""


class _NotSimple(Exception):  # noqa: N818
    """The document needs the C scanner."""


_SPACE = " \t\n\r"
_SIMPLE = 8192
"""Letters of a document that is tried without the scanner."""
_DIGITS = 15
_MARKS = "{}[]:,"
_CONSTANTS = {"true": True, "false": False, "null": None}


def decode(text: str) -> Any:
    """The value of exactly one JSON document. Raises Malformed and nothing else."""
    if len(text) <= _SIMPLE and "\\" not in text and text.isascii() and text.isprintable():
        try:
            return _simple(text)
        except _NotSimple:
            pass
    start = len(text) - len(text.lstrip(_SPACE))
    if start == len(text):
        raise Malformed("it is empty")
    try:
        value, end = _scanner()(text, start)
    except RecursionError:
        raise Malformed("it is nested too deep") from None
    except (StopIteration, SystemError, ValueError):  # SystemError: 3.11's scanner where json.decoder is not loaded
        raise Malformed("it is no whole JSON document") from None
    if text[end:].strip(_SPACE):
        raise Malformed("something follows the JSON document")
    return value


def _simple(text: str) -> dict[str, Any]:
    """The object of a simple document; _NotSimple for all that is anything else, what is malformed among it."""
    tokens: list[str] = []
    for number, part in enumerate(text.split('"')):
        if number % 2:
            tokens.append('"' + part)
        else:
            for mark in _MARKS:
                part = part.replace(mark, f" {mark} ")  # noqa: PLW2901
            tokens += part.split()
    tokens.reverse()
    try:
        if tokens.pop() == "{":
            value = _object(tokens)
            if not tokens:
                return value
    except (IndexError, RecursionError):
        pass
    raise _NotSimple


def _object(tokens: list[str]) -> dict[str, Any]:
    """The object whose opening brace has just been taken off the end of `tokens`."""
    found: dict[str, Any] = {}
    if tokens[-1] == "}":
        tokens.pop()
        return found
    while True:
        key = tokens.pop()
        if key[0] != '"' or tokens.pop() != ":":
            raise _NotSimple
        found[key[1:]] = _value(tokens)
        mark = tokens.pop()
        if mark == "}":
            return found
        if mark != ",":
            raise _NotSimple


def _list(tokens: list[str]) -> list[Any]:
    """The same for a list and its opening bracket."""
    found: list[Any] = []
    if tokens[-1] == "]":
        tokens.pop()
        return found
    while True:
        found.append(_value(tokens))
        mark = tokens.pop()
        if mark == "]":
            return found
        if mark != ",":
            raise _NotSimple


def _value(tokens: list[str]) -> Any:
    token = tokens.pop()
    if token[0] == '"':
        return token[1:]
    if token == "{":  # noqa: S105
        return _object(tokens)
    if token == "[":  # noqa: S105
        return _list(tokens)
    if token in _CONSTANTS:
        return _CONSTANTS[token]
    whole, dot, part = token.partition(".")
    if (
        not whole.isdigit()
        or (whole[0] == "0" and whole != "0")
        or len(whole) > _DIGITS
        or (dot and not part.isdigit())
    ):
        raise _NotSimple
    return float(token) if dot else int(whole)


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


def _scanner() -> Any:
    import _json

    return _json.make_scanner(_Strict())  # type: ignore[arg-type]


def encode(value: object) -> str:
    """A value of dict, list, tuple, str, bool, int, float, None as JSON in ASCII, without blanks. Raises TypeError for any other."""
    if isinstance(value, str):
        return _quoted(value)
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


def _quoted(text: str) -> str:
    if text.isascii() and text.replace("\n", "").isprintable():  # a message of ours may have lines
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    import _json

    return str(_json.encode_basestring_ascii(text))
