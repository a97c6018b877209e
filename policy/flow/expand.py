"""A shell word as the values that it may have when its command runs."""

from __future__ import annotations

from policy.flow.state import ALTERNATIVES, LONGEST
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.model import Piece, Word

    # One way of reading a word so far: finished fields, then the open one as (text or None, known prefix, glob, splits, begun).
    Partial = tuple[tuple[Value, ...], str | None, str, bool, bool, bool]

START: Partial = ((), "", "", False, False, False)
PRODUCT = 24
"""How many readings a command may have when several of its words have several."""

PIECES = 400
"""How many pieces of one word are put together."""

DECLARING = frozenset({"export", "declare", "typeset", "local", "readonly"})
"""Commands whose NAME=value words are assignments: what is expanded in them is not split."""


def words(walk: Walk, state: State, raw: Sequence[Word]) -> list[list[Value]]:
    """All readings of a list of words; past the bound, words that have several become unknown."""
    readings: list[list[Value]] = [[]]
    declared = len(raw) > 1 and raw[0].value in DECLARING
    for word in raw:
        assigns = declared and word is not raw[0] and _assigns(word)
        if word.value is not None and not assigns and (word.quoted or word.value[:1] != "~"):
            value = Value(word.value, word.value, False, False, word.quoted, word.raw)
            for reading in readings:
                reading.append(value)
            continue
        choices = [[value] for value in _assigned(walk, state, word)] if assigns else fields(walk, state, word)
        if len(choices) * len(readings) > (ALTERNATIVES if len(readings) == 1 else PRODUCT):
            choices = [[Value(None, splits=True, raw=word.raw)]]
        if len(choices) == 1:
            for reading in readings:
                reading.extend(choices[0])
        else:
            readings = [[*reading, *choice] for reading in readings for choice in choices]
    return readings


def _assigns(word: Word) -> bool:
    name, equals, _ = word.raw.partition("=")
    return bool(equals) and name.rstrip("+").isidentifier()


def _assigned(walk: Walk, state: State, word: Word) -> Iterator[Value]:
    """NAME=value behind `export` and its like: one value each, a tilde at the beginning of what is assigned expanded."""
    name, _, rest = word.raw.partition("=")
    if rest[:1] != "~":
        yield from (value.replace(raw=word.raw) for value in single(walk, state, word))
        return
    home = walk.home(state) if rest[1:2] in ("", "/") else None
    if home is None:
        yield Value(None, f"{name}=", quoted=True, raw=word.raw)
        return
    before, after = f"{name}=~", f"{name}={home}"
    for value in single(walk, state, word):
        text = None if value.text is None else value.text.replace(before, after, 1)
        yield value.replace(text=text, known=value.known.replace(before, after, 1), raw=word.raw)


def fields(walk: Walk, state: State, word: Word) -> list[list[Value]]:
    """All readings of one word; each is a list, because an expansion may give several words or none."""
    if word.value is not None:
        text = word.value
        if text[:1] == "~" and not word.quoted:
            return [[_tilde(walk, state, text, word)]]
        return [[Value(text, text, quoted=word.quoted, raw=word.raw)]]
    if len(word.pieces) > PIECES:
        return [[Value(None, splits=True, raw=word.raw)]]  # what its substitutions run is still followed
    partials: list[Partial] = [START]
    for piece in word.pieces:
        partials = _piece(walk, state, partials, piece)
        if len(partials) > ALTERNATIVES:
            return [[Value(None, splits=True, raw=word.raw)]]
    return [_closed(partial, word) for partial in partials]


def single(walk: Walk, state: State, word: Word) -> tuple[Value, ...]:
    """The word as one value each, as in an assignment or a redirection: nothing is split."""
    if word.value is not None and (word.quoted or word.value[:1] != "~"):
        return (Value(word.value, word.value, False, False, word.quoted, word.raw),)
    from policy.flow import pieces

    return pieces.unsplit(walk, state, word)


def _tilde(walk: Walk, state: State, text: str, word: Word) -> Value:
    head, slash, rest = text.partition("/")
    home = walk.home(state) if head == "~" else None
    if home is None:
        return Value(None, "", raw=word.raw, quoted=True)
    full = home + slash + rest
    return Value(full, full, raw=word.raw)


def _closed(partial: Partial, word: Word) -> list[Value]:
    done, text, known, glob, splits, begun = partial
    if not begun and text == "":
        return list(done)
    return [*done, Value(text, known, glob, splits, word.quoted, word.raw)]


def _piece(walk: Walk, state: State, partials: list[Partial], piece: Piece) -> list[Partial]:
    kind = piece.kind
    if kind == "text":
        return [_text(partial, piece.text) for partial in partials]
    if kind == "glob":
        if piece.text[1:2] == "(" and piece.text[-1:] == ")":
            from policy.flow import pieces

            return [_text(one, text, glob=True) for one in partials for text in pieces.chosen(piece.text)]
        return [
            (done, None if text is None else text + piece.text, known, True, splits, True)
            for done, text, known, glob, splits, _ in partials
        ]
    from policy.flow import pieces

    return pieces.expand(walk, state, partials, piece)


def _text(partial: Partial, text: str, *, glob: bool = False) -> Partial:
    done, mine, known, before, splits, _ = partial
    glob = glob or before
    if mine is None:
        return (done, None, known, glob, splits, True)
    mine += text
    if len(mine) > LONGEST:
        return (done, None, "", glob, True, True)
    return (done, mine, known if glob else mine, glob, splits, True)
