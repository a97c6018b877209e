"""Compiles the small C programs of the templates folder, where a compiler is found. They ask the kernel themselves (templates/system.c)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile

from shims import generate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALONE = (
    "-DALONE", "-nostdlib", "-static", "-ffreestanding", "-fno-builtin", "-fno-pie", "-no-pie", "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables", "-Wl,-z,noexecstack",
)  # fmt: skip
WAYS = (ALONE, ("-static",), ())
"""How to compile, best first. Without a libc it starts in a tenth of the time; some machines can only do the others."""
PARTS = ("system", "patterns", "payload")
"""Templates that others take in, each where its name stands between two @."""
FOLDERS = ("/usr/bin", "/usr/local/bin", "/bin")
"""Where a compiler is looked for. PATH does not say: it may be that of a judged program, when a hook finds its rules stale."""
PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /._-+=:,;()<>`@%$#!*'&|[]{}")


def build(work: str, template: str, values: Mapping[str, str], refusal: tuple[str, int], compiler: str = "cc") -> bytes:
    """The program that a template makes, compiled in the folder `work`; b"" where there is no compiler or what it made does not run.

    What was made of the same text is kept there, so that a change of rules compiles no more than it changes.

    `refusal` is a name under which the program, started without a word, does nothing and ends with that code: so it is tried.
    """
    if not sys.platform.startswith("linux"):
        return b""
    parts = {part.upper(): generate.filled(f"{part}.c", {"MARK": generate.MARK}) for part in PARTS}
    text = generate.filled(template, {**parts, "MARK": generate.MARK, **values})
    kept = f"{work}/{template}.made"
    mark = hashlib.sha256(f"{compiler}\n{text}".encode("utf-8", "surrogateescape")).digest()
    program = _kept(kept, mark)
    if not program:
        program = _compiled(work, text, refusal, compiler)
        with open(kept, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(mark + program)
    return program


def _kept(path: str, mark: bytes) -> bytes:
    """The program that was made of the same text before; b"" when there is none."""
    try:
        with open(path, "rb") as file:
            stat = os.fstat(file.fileno())
            content = file.read() if stat.st_uid in (0, os.getuid()) and not stat.st_mode & 0o022 else b""
    except OSError:
        return b""
    return content[len(mark) :] if content.startswith(mark) else b""


def found(name: str) -> str:
    """The path of a compiler that only the machine's owner can change; "" where there is none."""
    for folder in FOLDERS:
        try:
            stat = os.stat(f"{folder}/{name}")
        except OSError:
            continue
        if stat.st_uid == 0 and not stat.st_mode & 0o022:
            return f"{folder}/{name}"
    return ""


def _compiled(work: str, text: str, refusal: tuple[str, int], compiler: str) -> bytes:
    path = found(compiler)
    if not path:
        return b""
    with tempfile.TemporaryDirectory(dir=work) as inside:
        made = f"{inside}/{refusal[0]}"
        with open(made + ".c", "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        try:
            if not any(_built(path, made, refusal[1], *how) for how in WAYS):
                return b""
            with open(made, "rb") as program:
                return program.read()
        except OSError:
            return b""


def _built(compiler: str, made: str, refuses: int, *how: str) -> bool:
    """Whether the compiler made a program that runs and refuses."""
    argv = [compiler, "-O2", "-s", *how, "-o", made, made + ".c"]
    environment = {"PATH": ":".join(FOLDERS), "LC_ALL": "C", "TMPDIR": os.path.dirname(made)}
    if subprocess.run(argv, env=environment, capture_output=True, check=False).returncode != 0:
        return False
    try:
        return subprocess.run([made], capture_output=True, check=False).returncode == refuses
    except OSError:
        return False


def literal(text: str) -> str:
    """A C string of any bytes."""
    return '"' + "".join(chr(byte) if byte in PLAIN else f"\\{byte:03o}" for byte in os.fsencode(text)) + '"'


def listed(name: str, texts: Iterable[str]) -> str:
    """A C array of strings with NULL behind the last."""
    return f"static const char *const {name}[] = {{{', '.join([*map(literal, texts), 'NULL'])}}};"
