"""Writes the launchers: small programs with this installation's absolute paths baked in, so that nothing in the environment decides."""

from __future__ import annotations

import os
import py_compile
import shlex
import time

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Places(Protocol):
        """The part of guards.layout.Layout that launchers need."""

        @property
        def bin(self) -> str: ...
        @property
        def compiled(self) -> str: ...
        @property
        def python(self) -> str: ...
        @property
        def modules(self) -> tuple[str, ...]: ...


LATER = 0.02
"""Seconds by which the hook is dated after what its front was made from."""

MARK = "family gatepost"
"""Stands in every generated program, so that ours are told from other people's."""

TEMPLATES = os.path.dirname(os.path.abspath(__file__)) + "/templates/"

MISSING = "the private Python of gatepost is missing or cannot run; run install.sh again"


class Answer(Record):
    """What the front prints for a host when Python cannot: the host's own ask or deny."""

    stdout: str
    stderr: str
    status: int


class Launcher(Record):
    """A command in BIN that only starts Python. `status` is its exit code when the interpreter is missing."""

    name: str
    entry: str
    flags: str
    status: int


LAUNCHERS = (
    Launcher("gatepost", "cli.py", "-I", 70),
    Launcher("with-limits", "limits.pyc", "-I -S", 125),
)


class Entry(Record):
    """A generated Python file in the compiled folder: imports `main` from `module` and runs `body`. `status`: exit code of a broken start.

    `before` is run ahead of the first import, with the compiled folder for {compiled} and the entry's own name for {name}.
    """

    name: str
    module: str
    body: str
    status: int
    before: str = ""


BUNDLE = """\
try:
    import gc
    import marshal
    import posix

    gc.disable()
    file = posix.open({compiled!r} + "/{name}." + sys.implementation.cache_tag, posix.O_RDONLY | posix.O_CLOEXEC)
    length = int(posix.read(file, 10))
    loader, names = marshal.loads(posix.read(file, length))
    names |= {{"DATA": file, "BODY": 10 + length}}
    exec(loader, names)
except Exception:
    pass
"""
"""All modules of a start in one file (guards.install.pack); without it Python imports them one by one."""

ENTRIES = (
    Entry(
        "hook.py",
        "guards.hook.main",
        """
    head = b""
    if len(sys.argv) > 2:
        import posix

        while more := posix.read(3, 65536):
            head += more
    main(sys.argv[1], LAYOUT, head, over=sys.argv[2:] == ["over"])""",
        70,
        BUNDLE,
    ),
    Entry("shim.py", "guards.shim.main", "\n    main(sys.argv[1:], LAYOUT)", 126, BUNDLE),
    Entry("limits.py", "guards.limits.main", "\n    sys.exit(main(sys.argv[1:], LAYOUT))", 125, BUNDLE),
    Entry("cli.py", "guards.cli.main", '\n    main(prog_name="gatepost")', 70),
)


def quoted(text: str) -> str:
    """One shell word."""
    return shlex.quote(text)


def put(path: str, text: str | bytes, mode: int = 0o644, *, later: float = 0.0) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part; dated `later` seconds from now."""
    beside = f"{path}.{os.getpid()}.new"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text)
        os.fchmod(descriptor, mode)
    if later:
        at = time.time() + later
        os.utime(beside, (at, at))
    os.replace(beside, path)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template's text with each @NAME@ replaced; a name without a value stays, and `put` of it would be our fault."""
    with open(TEMPLATES + template, encoding="utf-8") as file:
        text = file.read()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def plain_shell() -> str:
    """A shell for programs that only judge: starts quickest, and takes neither functions nor start-up files from the environment."""
    return _first(("/bin/dash", "/usr/bin/dash"), "") or _first(("/bin/bash", "/usr/bin/bash"), " -p") or "/bin/sh"


def faithful_shell() -> str:
    """A shell for programs that hand over: bash -p keeps every environment entry, dash drops those with odd names."""
    return _first(("/bin/bash", "/usr/bin/bash"), " -p") or "/bin/sh"


def _first(paths: tuple[str, ...], flag: str) -> str:
    return next((path + flag for path in paths if os.access(path, os.X_OK)), "")


def write_entries(layout: Places) -> None:
    """The Python files that launchers, shims and the front start."""
    fields: dict[str, object] = layout.as_dict()  # type: ignore[attr-defined]
    literal = ", ".join(f"{name}={value!r}" for name, value in fields.items())
    for entry in ENTRIES:
        values = {
            "MODULE": entry.module,
            "MODULES": repr(layout.modules),
            "LAYOUT": literal,
            "BEFORE": entry.before.format(compiled=layout.compiled, name=entry.name.partition(".")[0]),
            "BODY": entry.body,
            "STATUS": str(entry.status),
        }
        source = f"{layout.compiled}/{entry.name}"
        put(source, filled("entry.py.txt", values))
        if entry.before:  # reading and compiling the text would cost each start 0.3 ms
            mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
            py_compile.compile(source, source + "c", doraise=True, optimize=2, invalidation_mode=mode)


def write_launchers(layout: Places) -> None:
    """BIN/gatepost and BIN/with-limits."""
    for launcher in LAUNCHERS:
        values = {
            "SHELL": faithful_shell(),
            "NAME": launcher.name,
            "MARK": MARK,
            "PYTHON": quoted(layout.python),
            "COMPLAINT": quoted(f"{launcher.name}: {MISSING}"),
            "STATUS": str(launcher.status),
            "FLAGS": launcher.flags,
            "ENTRY": quoted(f"{layout.compiled}/{launcher.entry}"),
        }
        put(f"{layout.bin}/{launcher.name}", filled("launcher.sh", values), 0o755)


def write_hook(layout: Places, answers: Mapping[str, Answer], front: str = "") -> None:
    """BIN/gatepost-hook; `answers` says for each host what to print when Python cannot be started or dies.

    `front` is shell text that may end the program before Python starts. The file is dated after everything that the front was made from.
    """
    values = {
        "SHELL": plain_shell(),
        "MARK": MARK,
        "ANSWERS": "\n".join(_answer(host, answer) for host, answer in sorted(answers.items())),
        "COMPLAINT": quoted(f"gatepost: {MISSING}"),
        "PYTHON": quoted(layout.python),
        "ENTRY": quoted(f"{layout.compiled}/hook.pyc"),
        "FRONT": front,
    }
    put(hook_path(layout), filled("hook.sh", values), 0o755, later=LATER)


def hook_path(layout: Places) -> str:
    """Where the hook program is."""
    return f"{layout.bin}/gatepost-hook"


def _answer(host: str, answer: Answer) -> str:
    lines = [f"  {quoted(host)})"]
    if answer.stdout:
        lines.append(f"    printf '%s\\n' {quoted(answer.stdout.rstrip(chr(10)))}")
    if answer.stderr:
        lines.append(f"    printf '%s\\n' {quoted(answer.stderr.rstrip(chr(10)))} >&2")
    return "\n".join([*lines, f"    exit {answer.status}", "    ;;"])
