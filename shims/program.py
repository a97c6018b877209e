"""Compiles the shims: one program for all guarded commands, with their tables and this installation's paths in it."""

from __future__ import annotations

import os

from shims import generate, resolve
from shims.compiler import build, listed, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from shims.found import Found, Places, Watch

REFUSES = 126


def write(layout: Places, found: Sequence[Found], watch: Watch, stamp: str, compiler: str) -> bool:
    """Compile one program and give it every name in PREFIX/shims. `stamp` is the file whose time says when the rules were compiled.

    False where there is no compiler or what it made does not run.
    """
    if not found:
        return False
    values = {"TABLES": _tables(layout, found, watch), "STAMP": literal(stamp)}
    made = build(layout.compiled, "shim.c", values, ("none", REFUSES), compiler)
    if not made:
        return False
    first, *others = (f"{layout.prefix}/shims/{one.shim.name}" for one in found)
    generate.put(first, made, 0o755)
    for path in others:
        os.link(first, path + ".new")
        os.replace(path + ".new", path)
    return True


def _tables(layout: Places, found: Sequence[Found], watch: Watch) -> str:
    """The C tables: programs, their forms, and this installation's paths."""
    lists: dict[tuple[str, ...], str] = {}

    def named(texts: tuple[str, ...]) -> str:
        return lists.setdefault(texts, f"list{len(lists)}")

    rows, tables = [], []
    for number, one in enumerate(found):
        shim, real = one.shim, one.real
        entries = [f"{{{literal(form.word)}, {named(form.avoid)}}}" for form in one.forms]
        tables.append(f"static const struct form forms{number}[] = {{{', '.join([*entries, '{NULL, NULL}'])}}};")
        lists_of = f"{named(shim.variables)}, {named(shim.markers)}"
        counted = int(resolve.is_script(real))
        rows.append(f"{{{literal(shim.name)}, {literal(real)}, forms{number}, {lists_of}, {counted}}}")
    texts = {
        "python": layout.python,
        "entry_file": layout.compiled + "/shim.pyc",
        "shims": layout.prefix + "/shims",
        "complaint": f"gatepost: {generate.MISSING}\n",
    }
    return "\n".join(
        [
            *(listed(name, texts) for texts, name in lists.items()),
            *tables,
            f"static const struct program programs[] = {{{', '.join([*rows, '{NULL, NULL, NULL, NULL, NULL, 0}'])}}};",
            listed("watched", watch.present),
            listed("absent", watch.absent),
            *(f"static const char *const {name} = {literal(text)};" for name, text in texts.items()),
        ]
    )
