"""All modules of the limiter's start in one file: finding, opening and reading them one by one costs as much as running them.

`gatepost compile` writes it; the entry file of with-limits runs it before its first import. What every run needs is made at once, in the
order in which it was found to be complete; backends come from it when they are imported. Each module's source is named with its time and
size: as soon as one of them differs, nothing of the bundle is used, and Python imports as usual.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types

    from guards.layout import Layout

EVERY_RUN = ("guards.layout", "guards.limits.main")
ON_DEMAND = (
    "guards.limits.sampling",
    "guards.limits.backends.group",
    "guards.limits.backends.cgroup2",
    "guards.limits.backends.cgroup1",
    "guards.limits.backends.proc",
    "guards.limits.report",
    "guards.limits.beat",
    "guards.wire",
)
LIBRARIES = ("_ctypes", "_json", "select", "resource")
"""Extension modules of the interpreter whose place is remembered too."""
COMPLETED = """
import sys
sys.path[:0] = [sys.argv[1]]
import _frozen_importlib_external as external
load = external.SourceFileLoader.exec_module
def loaded(self, module):
    load(self, module)
    print(module.__name__)
external.SourceFileLoader.exec_module = loaded
for name in sys.argv[2:]:
    __import__(name)
"""
"""A program that prints the names of modules in the order in which their imports are complete."""
LOADER = """
import sys, _imp, marshal, posix
from _frozen_importlib import ModuleSpec

class Bundle:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in CODES:
            spec = ModuleSpec(name, Bundle, origin=CODES[name][1])
            spec.has_location = True
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
    kind = type(sys)
    modules = sys.modules
    for name in ORDER:
        package, origin, code = CODES[name]
        module = kind(name)
        module.__file__ = origin
        parent, _, tail = name.rpartition(".")
        module.__package__ = name if package else parent
        if package:
            module.__path__ = [origin.rpartition("/")[0]]
        modules[name] = module
        exec(marshal.loads(code), module.__dict__)
        if parent:
            setattr(modules[parent], tail, module)
"""


def path(layout: Layout) -> str:
    """The file, beside the entry file that uses it; it names the interpreter that it is for."""
    return f"{layout.compiled}/limits.{sys.implementation.cache_tag}"


def write(layout: Layout) -> None:
    """Replace the bundle. Raises OSError, or CalledProcessError when the limiter's own modules cannot be imported."""
    order = _order()
    codes, stamps = {}, []
    for name in (*order, *ON_DEMAND):
        source = _origin(name)
        with open(source, "rb") as file:
            text = file.read()
        found = os.stat(source)
        stamps.append((source, found.st_mtime_ns, found.st_size))
        code = _bare(compile(text, source, "exec", dont_inherit=True, optimize=2))
        codes[name] = (source.endswith("/__init__.py"), source, marshal.dumps(code))
    names = {
        "CODES": codes,
        "LIBRARIES": {name: origin for name in LIBRARIES if (origin := _origin(name)).startswith("/")},
        "ORDER": order,
        "STAMPS": stamps,
        "TAG": sys.implementation.cache_tag,
    }
    content = marshal.dumps((compile(LOADER, "limits bundle", "exec", optimize=2), names))
    beside = f"{path(layout)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout))


def _order() -> tuple[str, ...]:
    """Modules of every run, packages before what they hold, each after all that it imports."""
    root = __file__.rpartition("/guards/")[0]
    words = [sys.executable, "-I", "-S", "-c", COMPLETED, root, *EVERY_RUN]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return tuple(name for name in found if name == "__future__" or name.partition(".")[0] in {"guards", "policy"})


def _origin(name: str) -> str:
    """Where a module's file is; "" for one that is built in."""
    spec = importlib.util.find_spec(name)
    return spec.origin or "" if spec is not None else ""


def _bare(code: types.CodeType) -> types.CodeType:
    """Without line numbers, a third of the size; main() never shows a traceback."""
    inner = (_bare(item) if hasattr(item, "co_code") else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))
