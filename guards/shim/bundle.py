"""All modules of a judged shim's start in one file: finding, opening and reading them one by one costs more than what they do.

`gatepost compile` writes it; the entry file runs its loader before the first import. Each source is named with its time and size: as soon
as one differs, nothing of the bundle is used, and Python imports as usual. The loader is the limiter's (guards.limits.bundle).
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

ENTRANCES = (
    "guards.layout", "guards.shim.main", "guards.shim.judge", "guards.shim.git", "guards.shim.jjrepo", "guards.shim.jjparent", "guards.shim.jjread",
    "guards.shim.jj", "guards.shim.ssh", "guards.shim.uv", "guards.limits.nested", "policy.engine", "policy.flow", "policy.programs.special",
    "policy.programs.special.git", "policy.flow.configured", "guards.world", "guards.world.real", "guards.session", "guards.kin",
)  # fmt: skip
"""What judged commands import; each brings what it needs itself."""

PROBE = """
import sys
sys.path[:0] = {modules!r}
for name in {names!r}:
    try:
        __import__(name)
    except ImportError:
        pass
for name, module in sorted(sys.modules.items()):
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "shims", "__future__"):
        print(name, source, sep="\\t")
"""


def path(layout: Layout) -> str:
    """The file, beside the entry file that uses it; it names the interpreter that it is for."""
    return f"{layout.compiled}/shim.{sys.implementation.cache_tag}"


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports for ENTRANCES. Raises OSError."""
    from guards.limits.bundle import LOADER

    probe = PROBE.format(modules=layout.modules, names=ENTRANCES)
    listed = subprocess.run([layout.python, "-I", "-S", "-c", probe], capture_output=True, text=True, check=False)
    codes, stamps = {}, []
    for row in listed.stdout.splitlines():
        name, _, source = row.partition("\t")
        with open(source, "rb") as file:
            text = file.read()
        found = os.stat(source)
        stamps.append((source, found.st_mtime_ns, found.st_size))
        code = _bare(compile(text, source, "exec", dont_inherit=True, optimize=2))
        codes[name] = (source.endswith("/__init__.py"), source, marshal.dumps(code))
    names = {"CODES": codes, "LIBRARIES": {}, "STAMPS": stamps, "TAG": sys.implementation.cache_tag}
    content = marshal.dumps((compile(LOADER, "shim bundle", "exec", optimize=2), names))
    beside = f"{path(layout)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout))


def _bare(code: types.CodeType) -> types.CodeType:
    """Without line numbers, a third of the size; a shim never shows a traceback."""
    inner = (_bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))
