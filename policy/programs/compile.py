"""Grammar files to the marshalled form that the hot path reads; run at install time only."""

from __future__ import annotations

import marshal
import os
import tomllib
from typing import TYPE_CHECKING, Any

from policy.programs.schema import Grammar, Part, split_option

if TYPE_CHECKING:
    from policy.programs.schema import Form


class GrammarError(Exception):
    """A grammar file that cannot be used; the message names the file and what is wrong in it."""


def grammars(folder: str) -> dict[str, bytes]:
    """Every program name and alias below `folder` to its marshalled grammar; an alias holds the name that it stands for.

    Raises GrammarError for a file that does not fit the schema, a name used twice, or `like` without its model.
    """
    raw = {name: _load(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".toml")}
    by_program = {data.get("program"): data for data in raw.values()}
    compiled: dict[str, bytes] = {}
    for file, data in raw.items():
        grammar = _validated(file, _merged(file, data, by_program))
        for name in (grammar.program, *grammar.aliases):
            if name in compiled:
                raise GrammarError(f"{file}: the program {name!r} has a grammar already")
            compiled[name] = marshal.dumps(_program(grammar) if name == grammar.program else grammar.program)
    return compiled


def _load(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except tomllib.TOMLDecodeError as error:
        raise GrammarError(f"{os.path.basename(path)}: {error}") from error


def _merged(file: str, data: dict[str, Any], by_program: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """The file's data laid over that of the grammar it is `like`; lists of options are joined, other keys replaced."""
    if "like" not in data:
        return data
    model = by_program.get(data["like"])
    if model is None:
        raise GrammarError(f"{file}: like = {data['like']!r}, which has no grammar file")
    base = {**_merged(file, model, by_program), "aliases": []}
    merged = {**base, **data}
    merged["options"] = [*base.get("options", []), *data.get("options", [])]
    merged["sub"] = {**base.get("sub", {}), **data.get("sub", {})}
    return merged


def _validated(file: str, data: dict[str, Any]) -> Grammar:
    try:
        return Grammar.model_validate(data)
    except ValueError as error:
        raise GrammarError(f"{file}: {error}") from error


def _program(grammar: Grammar) -> dict[str, Any]:
    compiled = _part(grammar, grammar)
    parts: dict[bytes, int] = {}
    subs = {
        name: parts.setdefault(marshal.dumps(_part(part, grammar)), len(parts)) for name, part in grammar.sub.items()
    }
    compiled |= {
        "name": grammar.program,
        "reader": grammar.reader,
        "inherit": grammar.inherit,
        "alias": grammar.unknown_subcommand,
        "env": dict(grammar.environment),
        "subs": subs,
        "parts": tuple(parts),
        "short": {alias: name for name, part in grammar.sub.items() for alias in part.aliases},
        "nested": tuple(sorted({name.rpartition(" ")[0] for name in grammar.sub if " " in name})),
    }
    return compiled


def _inherited(part: Part, grammar: Grammar, key: str, default: object) -> Any:
    own = getattr(part, key)
    if own is None:
        own = getattr(grammar, key)
    return default if own is None else own


def _abbreviated(part: Part, grammar: Grammar) -> bool:
    if part is not grammar and part.abbreviations is None and grammar.sub_abbreviations is not None:
        return grammar.sub_abbreviations
    return bool(_inherited(part, grammar, "abbreviations", default=False))


def _part(part: Part, grammar: Grammar) -> dict[str, Any]:
    options: dict[str, tuple[str, int, str]] = {}
    for line in part.options:
        spellings, arity, role = split_option(line)
        for spelling in spellings:
            options[spelling] = (spellings[0], arity, role)
    return {
        "opts": options,
        "longs": tuple(sorted(name for name in options if name.startswith("--"))),
        "permute": (part.order or "permute") == "permute",  # a subcommand does not inherit the program's own order
        "abbr": _abbreviated(part, grammar),
        "neg": _inherited(part, grammar, "negation", default=False),
        "cluster": _inherited(part, grammar, "clusters", default=True),
        "single": _inherited(part, grammar, "long", "--") == "-",
        "dashes": part.dashes == "end",
        "plus": any(name.startswith("+") for name in options),
        "assign": part.assignments,
        "ops": _pattern(part.operands),
        "rec": ("*",) if part.recursive is True else tuple(part.recursive or ()),
        "stdin": part.stdin,
        "inert": part.inert,
        "place": part.place,
        "when": tuple(_form(form) for form in part.when),
    }


def _pattern(roles: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((role.rstrip("?*+"), role[len(role.rstrip("?*+")) :]) for role in roles)


def _form(form: Form) -> tuple[Any, ...]:
    plain = {"stdin": form.stdin, "inert": form.inert, "place": form.place}
    changes: dict[str, Any] = {key: value for key, value in plain.items() if value is not None}
    if form.operands is not None:
        changes["ops"] = _pattern(form.operands)
    if form.recursive is not None:
        changes["rec"] = ("*",) if form.recursive else ()
    return (
        tuple(form.option),
        tuple(form.and_option),
        tuple(form.no_option),
        form.operands_below,
        tuple(form.first_operand),
        changes,
    )
