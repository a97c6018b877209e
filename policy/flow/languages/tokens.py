"""Words, strings and signs of C-like and script languages, comments left out; enough to find calls, never to judge syntax."""

from __future__ import annotations

from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Token = tuple[str, str, Value]  # kind (word, string, command, sign), text, value

NONE = Value("", "")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
HASH = frozenset({"perl", "ruby", "php", "awk", "other", "sed", "python"})
SLASHES = frozenset({"node", "php"})
BRACKETS = {"{": "}", "(": ")", "[": "]", "<": ">"}


def tokens(text: str, language: str) -> list[Token]:
    """All tokens in order. A string's value is unknown from its first interpolation on; "command" is text in backquotes that is run."""
    found: list[Token] = []
    index = 0
    while index < len(text):
        mark = text[index]
        if mark in " \t\r\n":
            if mark == "\n":
                found.append(("sign", "\n", NONE))
            index += 1
        elif end := _comment(text, index, language):
            index = end
        elif mark in "'\"`" or (mark in "qQ%" and _quoted_like(text, index, language)):
            index = _string(text, index, language, found)
        elif mark.isalnum() or mark in "_$@":
            end = index + 1
            lisp = language == "other"
            while end < len(text) and (
                text[end].isalnum()
                or text[end] in "_$?!"
                or (text[end] == ":" and text[end : end + 2] == "::")
                or (lisp and text[end] == "-" and text[end + 1 : end + 2].isalpha())
            ):
                end += 2 if text[end] == ":" else 1
            found.append(("word", text[index:end], NONE))
            index = end
        else:
            found.append(("sign", mark, NONE))
            index += 1
    return found


def _comment(text: str, index: int, language: str) -> int:
    """The end of a comment that begins here, 0 when none does."""
    two = text[index : index + 2]
    if (
        (text[index] == "#" and language in HASH)
        or (two == "//" and language in SLASHES)
        or (two == "--" and language == "lua")
    ):
        end = text.find("\n", index)
        return len(text) if end < 0 else end
    if two == "/*" and language in SLASHES:
        end = text.find("*/", index + 2)
        return len(text) if end < 0 else end + 2
    return 0


def _quoted_like(text: str, index: int, language: str) -> bool:
    """Whether q{…}, qq{…}, qx{…} (Perl), %x(…) or %q(…) (Ruby) begin here."""
    if index and (text[index - 1].isalnum() or text[index - 1] in "_$"):
        return False
    if language == "perl":
        return text[index : index + 2] in {"qx", "qq", "qw"} or (
            text[index] == "q" and text[index + 1 : index + 2] in BRACKETS
        )
    return (
        language == "ruby"
        and text[index : index + 2] in {"%x", "%q", "%Q", "%w"}
        and text[index + 2 : index + 3] in BRACKETS
    )


def _string(text: str, index: int, language: str, found: list[Token]) -> int:
    mark, kind = text[index], ""
    command, plain, start = mark == "`" and language != "node", mark == "'", index + 1
    closing = mark
    if mark in "qQ%":
        head = 1 if text[index + 1 : index + 2] in BRACKETS else 2
        kind = text[index : index + head]
        opening = text[index + head : index + head + 1]
        if not opening or opening.isalnum() or opening in " \n,;=":
            found.append(("word", kind, NONE))
            return index + head
        closing = BRACKETS.get(opening, opening)
        command, plain, start = kind in {"qx", "%x"}, kind in {"q", "%q", "qw", "%w"}, index + head + 1
    elif text[index : index + 3] in {"'''", '"""'}:
        closing, start = text[index : index + 3], index + 3
    value, end = _body(text, start, closing, _interpolation(language) if not plain else None)
    if kind in {"qw", "%w"} and value.text is not None:
        for word in value.text.split():
            found += [("string", mark, Value(word, word, quoted=True)), ("sign", ",", NONE)]
        return end
    found.append(("command" if command else "string", mark, value))
    return end


def _interpolation(language: str) -> Callable[[str, int], bool] | None:
    if language == "ruby":
        return lambda text, index: text[index : index + 2] == "#{"
    if language == "node":
        return lambda text, index: text[index : index + 2] == "${"
    if language in {"perl", "php"}:
        return lambda text, index: (
            text[index] in "$@" and (text[index + 1 : index + 2].isalpha() or text[index + 1 : index + 2] in {"{", "_"})
        )
    return None


def _body(text: str, start: int, closing: str, interpolates: Callable[[str, int], bool] | None) -> tuple[Value, int]:
    known: list[str] = []
    whole, index = True, start
    while index < len(text):
        if text.startswith(closing, index):
            index += len(closing)
            break
        mark = text[index]
        if mark == "\\" and index + 1 < len(text):
            following = text[index + 1]
            if whole:
                known.append(
                    ESCAPES.get(following, following)
                    if interpolates is not None or closing == '"'
                    else _kept(following, closing)
                )
            index += 2
            continue
        if whole and interpolates is not None and interpolates(text, index):
            whole = False
        if whole:
            known.append(mark)
        index += 1
    joined = "".join(known)
    return Value(joined if whole else None, joined, quoted=True, raw="" if whole else text[start : index - 1]), index


def _kept(following: str, closing: str) -> str:
    return following if following in {"\\", closing} else "\\" + following
