"""All modules of the limiter's start in one file: finding, opening and reading them one by one costs as much as running them.

`gatepost compile` writes it; the entry file of with-limits runs it before its first import. Each module's source is named with its time
and size: as soon as one of them differs, nothing of the bundle is used, and Python imports as usual.
"""

from __future__ import annotations

import importlib
import marshal
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout

ENTRANCES = (
    "guards.limits.main",
    "guards.limits.run",
    "guards.limits.supervise",
    "guards.limits.backends.cgroup2",
    "guards.limits.backends.cgroup1",
    "guards.limits.backends.proc",
)
"""What a plain run imports; each brings what it needs itself."""
BESIDE = frozenset({"__future__", "guards", "guards.layout", "policy", "policy.record"})
LATER = frozenset({"bundle", "status", "chronicle", "inquire", "queue", "admission", "configured", "sweep", "duty"})
"""Modules of ours that a plain run does not import: they may be loaded in the process that writes the bundle."""
LIBRARIES = ("_ctypes", "select", "resource")
"""Extension modules of the interpreter whose place is remembered too."""
LOADER = """
import sys, _imp, marshal, posix
from _frozen_importlib import ModuleSpec

class Bundle:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in CODES:
            package, origin, _ = CODES[name]
            spec = ModuleSpec(name, Bundle, origin=origin, is_package=package)
            spec.has_location = True
            if package:
                spec.submodule_search_locations.append(origin.rpartition("/")[0])
            return spec
        if name in LIBRARIES:
            return ModuleSpec(name, Bundle, origin=LIBRARIES[name])

    @staticmethod
    def create_module(spec):
        return _imp.create_dynamic(spec) if spec.name in LIBRARIES else None

    @staticmethod
    def exec_module(module):
        name = module.__spec__.name
        if name in LIBRARIES:
            _imp.exec_dynamic(module)
        else:
            exec(marshal.loads(CODES[name][2]), module.__dict__)

def fresh():
    for path, time, size in STAMPS:
        found = posix.stat(path)
        if found.st_mtime_ns != time or found.st_size != size:
            return False
    return True

if TAG == sys.implementation.cache_tag and fresh():
    sys.meta_path.insert(0, Bundle)
"""


def path(layout: Layout) -> str:
    """The file, beside the entry file that uses it; it names the interpreter that it is for."""
    return f"{layout.compiled}/limits.{sys.implementation.cache_tag}"


def write(layout: Layout) -> None:
    """Replace the bundle. Raises OSError."""
    for name in ENTRANCES:
        importlib.import_module(name)
    codes, stamps = {}, []
    for name, module in sorted(sys.modules.items()):
        source = getattr(module, "__file__", None)
        if not source or not source.endswith(".py") or not _wanted(name):
            continue
        with open(source, "rb") as file:
            text = file.read()
        found = os.stat(source)
        stamps.append((source, found.st_mtime_ns, found.st_size))
        code = _bare(compile(text, source, "exec", dont_inherit=True, optimize=2))
        codes[name] = (hasattr(module, "__path__"), source, marshal.dumps(code))
    libraries = {name: origin for name in LIBRARIES if (origin := _origin(name))}
    loader = compile(LOADER, "limits bundle", "exec", optimize=2)
    content = marshal.dumps(
        (loader, {"CODES": codes, "LIBRARIES": libraries, "STAMPS": stamps, "TAG": sys.implementation.cache_tag})
    )
    beside = f"{path(layout)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout))


def _wanted(name: str) -> bool:
    """The start's own modules: not what the running interpreter, a test or the compiler has loaded besides."""
    return name in BESIDE or (name.startswith("guards.limits") and name.rpartition(".")[2] not in LATER)


def _origin(name: str) -> str:
    spec = importlib.import_module(name).__spec__
    origin = spec.origin if spec is not None else None
    return origin if origin and origin.startswith("/") else ""


def _bare(code: types.CodeType) -> types.CodeType:
    """Without line numbers, a third of the size; main() never shows a traceback."""
    inner = (_bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))
