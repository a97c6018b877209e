"""Writes PREFIX/shims: for each guarded command that is found, a program of its name that goes in front of it on PATH.

With a C compiler it is one small compiled program under several names, which costs half of what a shell does and passes on the
environment as it is; else a script for `bash -p` (which keeps odd names in the environment, unlike dash), else for sh.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import tempfile

from policy.compiled import Compiled, CompiledError, file_name
from policy.rules.catalog import shipped
from shims import forms, generate, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    class Places(Protocol):
        """The part of guards.layout.Layout that shims need."""

        @property
        def prefix(self) -> str: ...
        @property
        def config(self) -> str: ...
        @property
        def compiled(self) -> str: ...
        @property
        def python(self) -> str: ...
        @property
        def managed(self) -> str: ...


ORDINARY = ("/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin")
"""Searched after PATH, so that a shim is made although the installer runs with a short PATH."""


def write(
    layout: Places, *, path: str | None = None, compiler: str | None = "cc", extra: Sequence[str] = ()
) -> dict[str, str]:
    """Make PREFIX/shims anew and answer which real program stands behind each name.

    Shims of programs that are gone are removed, files that are not ours are left alone. `compiler` None writes scripts. `extra` are
    programs that the user lists; each of their forms is judged. Raises OSError when the folder cannot be written.
    """
    folder = layout.prefix + "/shims"
    os.makedirs(folder, mode=0o755, exist_ok=True)
    search = ":".join((os.environ.get("PATH", "") if path is None else path, *ORDINARY))
    known = {shim.name for shim in forms.SHIMS}
    rules = alternatives(layout)
    wanted = [forms.agreed(shim, rules) if rules is not None else shim.replace(words={}) for shim in forms.SHIMS]
    wanted += [forms.Shim(name, {}) for name in extra if name not in known]
    found = [(shim, real) for shim in wanted if (real := resolve.find(shim.name, search, folder))]
    watch = sources(layout)
    if compiler is None or not _compile(layout, found, watch, compiler):
        for shim, real in found:
            generate.put(f"{folder}/{shim.name}", script(layout, shim, real, watch), 0o755)
    _sweep(folder, {shim.name for shim, _ in found})
    return {shim.name: real for shim, real in found}


def alternatives(layout: Places) -> list[tuple[tuple[str, Any], ...]] | None:
    """The tests of every alternative of every compiled rule; None when the compiled file cannot be used: nothing is handed over then."""
    try:
        compiled = Compiled.load(layout.compiled, check=False)
    except CompiledError:
        return None
    return [one[0] for key in compiled.keys() for rule in compiled.bucket(key) for one in rule.alternatives]  # noqa: SIM118


def sources(layout: Places) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What makes the compiled rules stale: files and folders that must not become newer, and files that must not come into being.

    Of the rules that ship with us only the folders: they change with an installation, which makes the shims anew.
    """
    try:
        with open(stamp(layout), "rb") as file:
            stamped = marshal.loads(file.read())["stamp"]  # noqa: S302  -- `alternatives` has checked whose it is
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return (), ()
    ours = shipped()
    watched = [
        path
        for path, seen in stamped.items()
        if seen is not None and not (path.startswith(ours) and path.endswith(".toml"))
    ]
    return tuple(watched), tuple(path for path, seen in stamped.items() if seen is None)


def stamp(layout: Places) -> str:
    """The compiled rules, whose time of change is compared."""
    return f"{layout.compiled}/{file_name()}"


def script(layout: Places, shim: forms.Shim, real: str, watch: tuple[tuple[str, ...], tuple[str, ...]]) -> str:
    """The text of a shim for a shell."""
    avoided: dict[tuple[str, ...], list[str]] = {}
    for word, fragments in shim.words.items() if not resolve.is_script(real) else ():
        avoided.setdefault(fragments, []).append(f"[1-9]*:{generate.quoted(word)}" if word else "0:")
    variables = "".join("${" + name + "+x}" for name in shim.variables)
    return generate.filled(
        "shim.sh",
        {
            "SHELL": generate.faithful_shell(),
            "FORMS": "\n".join(_case(words, fragments) for fragments, words in avoided.items()),
            "VARIABLES": f'[ -z "{variables}" ] || _gatepost_judge "$@"',
            "MARKERS": " ".join(shim.markers),
            "NAME": generate.quoted(shim.name),
            "REAL": generate.quoted(real),
            "MARK": generate.MARK,
            "PYTHON": generate.quoted(layout.python),
            "ENTRY": generate.quoted(layout.compiled + "/shim.py"),
            "COMPLAINT": generate.quoted(f"gatepost: {generate.MISSING} [self/broken]"),
            "STAMP": generate.quoted(stamp(layout)),
            "WATCHED": " ".join(map(generate.quoted, watch[0])),
            "ABSENT": " ".join(map(generate.quoted, watch[1])),
            "SHIMS": generate.quoted(layout.prefix + "/shims"),
        },
    )


def _case(words: list[str], fragments: tuple[str, ...]) -> str:
    pattern = "|".join(words)
    if not fragments:
        return f"{pattern}) ;;"
    avoid = "|".join(f"*{generate.quoted(fragment)}*" for fragment in fragments)
    return f'{pattern})\n  for _gatepost_at do case $_gatepost_at in {avoid}) _gatepost_judge "$@" ;; esac; done ;;'


def _compile(
    layout: Places,
    found: Sequence[tuple[forms.Shim, str]],
    watch: tuple[tuple[str, ...], tuple[str, ...]],
    compiler: str,
) -> bool:
    """Compile one program and give it every name. False where there is no compiler or what it made does not run."""
    if not sys.platform.startswith("linux") or not found:
        return False
    folder = layout.prefix + "/shims"
    text = generate.filled(
        "shim.c",
        {
            "TABLES": _tables(layout, found, watch),
            "STAMP": _literal(stamp(layout)),
            "MARK": generate.MARK,
            "COMPLAINT": _literal(f"gatepost: {generate.MISSING}\n"),
        },
    )
    with tempfile.TemporaryDirectory(dir=layout.compiled) as work:
        with open(work + "/shim.c", "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        try:
            made = subprocess.run(
                [compiler, "-O1", "-o", work + "/shim", work + "/shim.c"], capture_output=True, check=False
            )
            if made.returncode or subprocess.run([work + "/shim"], capture_output=True, check=False).returncode != 126:
                return False
        except OSError:
            return False
        os.chmod(work + "/shim", 0o755)  # noqa: S103
        for shim, _ in found:
            os.link(work + "/shim", f"{work}/{shim.name}.new")
            os.replace(f"{work}/{shim.name}.new", f"{folder}/{shim.name}")
    return True


def _tables(
    layout: Places, found: Sequence[tuple[forms.Shim, str]], watch: tuple[tuple[str, ...], tuple[str, ...]]
) -> str:
    """The C tables: programs, their forms, and this installation's paths."""
    lists: dict[tuple[str, ...], str] = {}

    def listed(texts: tuple[str, ...]) -> str:
        return lists.setdefault(texts, f"list{len(lists)}")

    rows, tables = [], []
    for number, (shim, real) in enumerate(found):
        words = {} if resolve.is_script(real) else shim.words
        entries = [f"{{{_literal(word)}, {listed(fragments)}}}" for word, fragments in words.items()]
        tables.append(f"static const struct form forms{number}[] = {{{', '.join([*entries, '{NULL, NULL}'])}}};")
        rows.append(
            f"{{{_literal(shim.name)}, {_literal(real)}, forms{number}, {listed(shim.variables)}, {listed(shim.markers)}}}"
        )
    arrays = [
        f"static const char *const {name}[] = {{{', '.join([*map(_literal, texts), 'NULL'])}}};"
        for texts, name in lists.items()
    ]
    paths = {"python": layout.python, "entry": layout.compiled + "/shim.py", "shims": layout.prefix + "/shims"}
    return "\n".join(
        [
            *arrays,
            *tables,
            f"static const struct program programs[] = {{{', '.join([*rows, '{NULL, NULL, NULL, NULL, NULL}'])}}};",
            *(
                f"static const char *const {name}[] = {{{', '.join([*map(_literal, texts), 'NULL'])}}};"
                for name, texts in zip(("watched", "absent"), watch, strict=True)
            ),
            *(f"static const char *const {name} = {_literal(path)};" for name, path in paths.items()),
        ]
    )


def _literal(text: str) -> str:
    """A C string of any bytes."""
    plain = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /._-+=:,;()<>`@%$#!*'&|[]{}")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in os.fsencode(text)) + '"'


def _sweep(folder: str, wanted: set[str]) -> None:
    """Remove shims of ours that stand for nothing any more."""
    for name in os.listdir(folder):
        if name not in wanted and resolve.is_ours(f"{folder}/{name}"):
            os.unlink(f"{folder}/{name}")
