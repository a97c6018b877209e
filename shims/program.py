"""Compiles the shims: one program for all guarded commands, with their tables and this installation's paths in it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from shims import generate, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from shims.found import Found, Places, Watch

REFUSES = 126
ALONE = (
    "-DALONE", "-nostdlib", "-static", "-ffreestanding", "-fno-builtin", "-fno-pie", "-no-pie", "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables", "-Wl,-z,noexecstack",
)  # fmt: skip
WAYS = (ALONE, ("-static",), ())
"""How to compile, best first. Without a libc it starts in a tenth of the time; some machines can only do the others."""


def write(layout: Places, found: Sequence[Found], watch: Watch, stamp: str, compiler: str) -> bool:
    """Compile one program and give it every name in PREFIX/shims. `stamp` is the file whose time says when the rules were compiled.

    False where there is no compiler or what it made does not run.
    """
    if not sys.platform.startswith("linux") or not found:
        return False
    folder = layout.prefix + "/shims"
    text = generate.filled(
        "shim.c",
        {
            "SYSTEM": generate.filled("system.c", {}),
            "TABLES": _tables(layout, found, watch),
            "STAMP": _literal(stamp),
            "MARK": generate.MARK,
        },
    )
    with tempfile.TemporaryDirectory(dir=layout.compiled) as work:
        with open(work + "/shim.c", "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        try:
            if not any(_built(compiler, work, *how) for how in WAYS):
                return False
        except OSError:
            return False
        os.chmod(work + "/shim", 0o755)  # noqa: S103
        for one in found:
            os.link(work + "/shim", f"{work}/{one.shim.name}.new")
            os.replace(f"{work}/{one.shim.name}.new", f"{folder}/{one.shim.name}")
    return True


def _built(compiler: str, work: str, *how: str) -> bool:
    """Whether the compiler made a program that runs: called by no shim's name it refuses."""
    made = work + "/shim"
    argv = [compiler, "-O2", *how, "-o", made, made + ".c"]
    if subprocess.run(argv, capture_output=True, check=False).returncode != 0:
        return False
    try:
        return subprocess.run([made], capture_output=True, check=False).returncode == REFUSES
    except OSError:
        return False


def _tables(layout: Places, found: Sequence[Found], watch: Watch) -> str:
    """The C tables: programs, their forms, and this installation's paths."""
    lists: dict[tuple[str, ...], str] = {}

    def listed(texts: tuple[str, ...]) -> str:
        return lists.setdefault(texts, f"list{len(lists)}")

    rows, tables = [], []
    for number, one in enumerate(found):
        shim, real = one.shim, one.real
        entries = [f"{{{_literal(form.word)}, {listed(form.avoid)}}}" for form in one.forms]
        tables.append(f"static const struct form forms{number}[] = {{{', '.join([*entries, '{NULL, NULL}'])}}};")
        lists_of = f"{listed(shim.variables)}, {listed(shim.markers)}"
        counted = int(resolve.is_script(real))
        rows.append(f"{{{_literal(shim.name)}, {_literal(real)}, forms{number}, {lists_of}, {counted}}}")
    arrays = [
        f"static const char *const {name}[] = {{{', '.join([*map(_literal, texts), 'NULL'])}}};"
        for texts, name in lists.items()
    ]
    texts = {
        "python": layout.python,
        "entry_file": layout.compiled + "/shim.py",
        "shims": layout.prefix + "/shims",
        "complaint": f"gatepost: {generate.MISSING}\n",
    }
    return "\n".join(
        [
            *arrays,
            *tables,
            f"static const struct program programs[] = {{{', '.join([*rows, '{NULL, NULL, NULL, NULL, NULL, 0}'])}}};",
            *(
                f"static const char *const {name}[] = {{{', '.join([*map(_literal, texts), 'NULL'])}}};"
                for name, texts in (("watched", watch.present), ("absent", watch.absent))
            ),
            *(f"static const char *const {name} = {_literal(text)};" for name, text in texts.items()),
        ]
    )


def _literal(text: str) -> str:
    """A C string of any bytes."""
    plain = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /._-+=:,;()<>`@%$#!*'&|[]{}")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in os.fsencode(text)) + '"'
