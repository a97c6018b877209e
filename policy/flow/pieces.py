"""The parts of a word that are not plain text: parameters, substitutions, braces, arithmetic, tildes."""

from __future__ import annotations

from policy.flow import inside
from policy.flow.expand import START, _text
from policy.flow.state import ALTERNATIVES, LONGEST, UNKNOWN
from policy.flow.where import weigh
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.expand import Partial
    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.model import Piece, Word


MOST_FIELDS = 2_000
"""How many words one expansion may be split into before it counts as unknown."""


def expand(walk: Walk, state: State, partials: list[Partial], piece: Piece) -> list[Partial]:
    """Continue every reading of a word by a piece."""
    if piece.kind == "brace":
        return _braces(walk, state, partials, piece.text)
    from policy.flow import parameters

    if piece.kind in {"param", "array"} and (many := _fields(state, piece)) is not None:
        return [_append_fields(partial, many) for partial in partials]
    values = choices(walk, state, piece)
    separators = "" if piece.quoted else parameters.separators(state)
    weigh(walk, sum([len(value.text or "") for value in values]) * len(partials), 6 if separators else 10)
    return [_append(partial, value, separators) for partial in partials for value in values]


def unsplit(walk: Walk, state: State, word: Word) -> tuple[Value, ...]:
    """The values of a word that is not split into fields."""
    pieces = word.pieces
    if len(pieces) == 1 and pieces[0].kind in {"param", "command"} and pieces[0].quoted:
        return choices(walk, state, pieces[0])
    if not pieces and word.value is not None:
        from policy.flow.expand import fields

        return (fields(walk, state, word)[0][0],)
    partials: list[Partial] = [START]
    for piece in pieces:
        if piece.kind == "text":
            partials = [_text(partial, piece.text) for partial in partials]
        elif piece.kind == "glob":
            partials = [_append(partial, Value(piece.text, "", glob=True), "") for partial in partials]
        elif piece.kind == "brace":
            partials = [_text(partial, piece.text) for partial in partials]
        else:
            values = choices(walk, state, piece)
            partials = [_append(partial, value, "") for partial in partials for value in values]
        if len(partials) > ALTERNATIVES:
            return (Value(None, raw=word.raw),)
    return tuple(Value(text, known, glob, False, True, word.raw) for _, text, known, glob, _, _ in partials)


def choices(walk: Walk, state: State, piece: Piece) -> tuple[Value, ...]:
    """What a piece may stand for."""
    kind = piece.kind
    if kind == "param":
        from policy.flow import parameters

        return parameters.values(walk, state, piece)
    if kind == "command":
        return (inside.substituted(walk, piece.frame, state),)
    if kind == "process":
        return (inside.process(walk, piece.frame, state, written=piece.text == ">"),)
    if kind in {"text", "glob"}:
        return (Value(piece.text, piece.text, glob=kind == "glob"),)
    return (_other(walk, state, piece),)


def _other(walk: Walk, state: State, piece: Piece) -> Value:
    if piece.kind == "tilde":
        home = walk.home(state) if piece.text in {"~", "~/"} else None
        return Value(None) if home is None else Value(home + piece.text[1:], home + piece.text[1:])
    if piece.kind == "arith":
        from policy.flow import arithmetic

        return arithmetic.value(walk, state, piece.text)
    return Value(None)


def _fields(state: State, piece: Piece) -> tuple[Value, ...] | None:
    """The words that "$@" or an array gives, None for every other parameter."""
    name, wanted = _listed(state, piece)
    quiet_star = piece.quoted and not wanted
    if name in {"@", "*"}:
        if name == "*" and quiet_star:
            return None
        return _part(state.positional, wanted, 1)
    if name.endswith("[@]") or (name.endswith("[*]") and not quiet_star):
        array = state.references.get(name[:-3], name[:-3])
        values = state.arrays.get(array)
        return None if values is None and array in state.values else _part(values, wanted, 0)
    return None


def _listed(state: State, piece: Piece) -> tuple[str, str]:
    """The list that a parameter may give the words of ("@", "name[@]"), and which part of it is wanted; ("", "") for one that gives none."""
    name = piece.text
    if piece.operator == "indirect":
        held = state.values.get(name, ())
        return (held[0].text or "" if len(held) == 1 else "", "")
    if piece.operator == "[":
        sign, _, wanted = piece.operand.partition("]")
        if sign in {"@", "*"} and (not wanted or (wanted[0] == ":" and wanted[1:2] not in "-=?+")):
            return (f"{name}[{sign}]", wanted[1:])
        return ("", "")
    if piece.operator == ":" and name in {"@", "*"}:
        return (name, piece.operand)
    return ("", "") if piece.kind == "array" or piece.operator else (name, "")


def _part(values: Sequence[Value] | None, wanted: str, first: int) -> tuple[Value, ...]:
    """The elements that OFFSET or OFFSET:LENGTH, or "" for all, leaves of a list that is counted from `first`."""
    if values is not None and not wanted:
        return tuple(values)
    offset, _, length = wanted.replace(" ", "").partition(":")
    if values is None or any(value.splits for value in values) or not offset.lstrip("-").isdigit():
        return (UNKNOWN,)
    start = len(values) + int(offset) if offset[0] == "-" else int(offset) - first
    if start < 0 or (length and not length.isdigit()):
        return (UNKNOWN,)
    return tuple(values[start : start + int(length) if length else None])


def _append_fields(partial: Partial, values: tuple[Value, ...]) -> Partial:
    done, text, known, glob, splits, begun = partial
    finished: list[Value] = []
    for place, value in enumerate(values):
        if place:
            finished.append(Value(text, known, glob, splits, quoted=True))
            text, known, glob, splits = "", "", False, False
        _, text, known, glob, splits, begun = _append(((), text, known, glob, splits, begun), value, "")
        if value.splits:
            splits, begun = True, True
    return ((*done, *finished), text, known, glob, splits, begun or bool(values))


def _append(partial: Partial, value: Value, separators: str) -> Partial:
    """Put a value at the end of the open field; with `separators`, it is split there."""
    quoted = not separators
    done, text, known, glob, splits, begun = partial
    if value.text is None or len(value.text) + len(text or "") > LONGEST:
        whole = text is not None and not glob
        return (
            done,
            None,
            known + value.known[:LONGEST] if whole and len(known) < LONGEST else known,
            glob,
            splits or not quoted,
            True,
        )
    if quoted or not any(mark in value.text for mark in separators):
        if text is None:
            return (done, None, known, glob, splits, True)
        joined = text + value.text
        whole = not glob and not value.glob
        return (
            done,
            joined,
            joined if whole else (known if glob else known + value.known),
            glob or value.glob,
            splits,
            begun or quoted or bool(value.text),
        )
    return _split(partial, value, separators)


def _split(partial: Partial, value: Value, separators: str) -> Partial:
    """Append text that word splitting takes apart."""
    done, text, known, glob, splits, begun = partial
    assert value.text is not None  # noqa: S101
    parts = _fields_of(value.text, separators)
    if len(parts) > MOST_FIELDS:
        return (done, None, known, glob, True, True)
    before, done = done, ()
    if value.text[:1] in separators and begun and (text is None or text):
        done, text, known, glob, splits, begun = (*done, Value(text, known, glob, splits)), "", "", False, False, False
    for place, part in enumerate(parts):
        if place:
            done, text, known, glob, splits = (*done, Value(text, known, glob, splits)), "", "", False, False
        has_glob = value.glob or any(mark in part for mark in "*?[")
        if text is None:
            begun = True
            continue
        text = text + part
        known, glob, begun = (known if glob or has_glob else text), glob or has_glob, True
    if value.text[-1:] in separators and parts:
        done, text, known, glob, splits, begun = (*done, Value(text, known, glob, splits)), "", "", False, False, False
    return ((*before, *done), text, known, glob, splits, begun)


def _fields_of(text: str, separators: str) -> list[str]:
    for mark in separators:
        text = text.replace(mark, "\n")
    return [part for part in text.split("\n") if part]


def _braces(walk: Walk, state: State, partials: list[Partial], source: str) -> list[Partial]:
    """A brace expansion gives several words, all of which begin with what stands before it."""
    from policy.flow import braces

    items = braces.items(walk, state, source)
    if items is None:
        return [(done, None, known, glob, True, True) for done, _, known, glob, _, _ in partials]
    after: list[Partial] = []
    for done, text, known, glob, splits, begun in partials:
        words = list(done)
        last: Partial = (tuple(words), text, known, glob, splits, begun)
        for place, item in enumerate(items):
            last = _append((tuple(words), text, known, glob, splits, True), item, "")
            if place < len(items) - 1:
                _, t, k, g, s, _ = last
                words.append(Value(t, k, g, s))
        after.append(last)
    return after


def chosen(pattern: str) -> tuple[str, ...]:
    """The texts of `@(one|other)`; anything, for the other extended patterns: `!(…)` is nearly all there is."""
    inside = pattern[2:-1]
    if pattern[0] == "@" and not any(mark in inside for mark in "()$`'\"\\"):
        return tuple(inside.split("|"))
    return ("*",)
