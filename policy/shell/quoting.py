"""Quote removal that needs no context: ANSI-C strings, and the escapes inside double quotes and backticks."""

from __future__ import annotations

_SIMPLE = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_OCTAL = "01234567"
_HEX = "0123456789abcdefABCDEF"
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_LAST_CODE_POINT = 0x10FFFF
_FIRST_BYTE = 0x80
_ESCAPED_BYTES = 0xDC00
"""Python keeps a byte that it cannot decode as this plus the byte."""


def ansi_c(body: str) -> str:
    r"""The value of $'body': as bash decodes it in a UTF-8 locale, cut at the first NUL. Bytes that are not UTF-8 are surrogate-escaped."""
    if "\\" not in body:
        return body
    out: list[str] = []
    i = 0
    while (j := body.find("\\", i)) >= 0:
        out.append(body[i:j])
        text, i = _escape(body, j + 1)
        if text == "\0":
            return _decoded("".join(out))
        out.append(text)
    out.append(body[i:])
    return _decoded("".join(out))


def _decoded(text: str) -> str:
    """With the bytes that escapes made joined to characters."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text


def _byte(number: int) -> str:
    return chr(number) if number < _FIRST_BYTE else chr(_ESCAPED_BYTES + number)


def _escape(body: str, i: int) -> tuple[str, int]:
    """The character that the escape whose letter stands at `i` makes, and the offset behind it."""
    letter = body[i : i + 1]
    if letter in _SIMPLE:
        return _SIMPLE[letter], i + 1
    if letter and letter in _OCTAL:
        digits = _run(body, i, _OCTAL, 3)
        return _byte(int(digits, 8) & 0xFF), i + len(digits)
    if letter in _HEX_DIGITS:
        digits = _run(body, i + 1, _HEX, _HEX_DIGITS[letter])
        if digits:
            number = min(int(digits, 16), _LAST_CODE_POINT)
            return _byte(number) if letter == "x" else chr(number), i + 1 + len(digits)
    if letter == "c" and i + 1 < len(body):
        return chr(ord(body[i + 1]) & 31), i + 2
    return "\\" + letter, i + 1


def _run(body: str, i: int, alphabet: str, most: int) -> str:
    j = i
    while j < len(body) and j - i < most and body[j] in alphabet:
        j += 1
    return body[i:j]


def unescape(body: str, special: str) -> tuple[str, list[int]]:
    """Drop the backslash before each character of `special`; also returns the offset in `body` of every character that stays."""
    out: list[str] = []
    offsets: list[int] = []
    i = 0
    while i < len(body):
        if body[i] == "\\" and i + 1 < len(body) and body[i + 1] in special:
            i += 1
        elif body[i] == "\\" and i + 1 < len(body):
            out.append("\\")
            offsets.append(i)
            i += 1
        out.append(body[i])
        offsets.append(i)
        i += 1
    offsets.append(len(body))
    return "".join(out), offsets
