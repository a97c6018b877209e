"""Modules of one program's start in one file: finding, opening and reading them one by one costs more than what they do.

`gatepost compile` writes the file, the program's entry file runs its loader before the first import. What every start needs is one code
after another, run without the import machinery; the rest is imported from the same file when asked for. In a source folder each source is
named with its time and size, and as soon as one differs nothing of the file is used; an installed package changes only with its release.
"""

from __future__ import annotations

import ast
import marshal
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from guards.layout import Layout

PATIENCE = 30
"""Seconds that a trial run may take."""

LOADER = """
import sys, _imp, marshal, posix
from _frozen_importlib import ModuleSpec

class Bundle:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in LATER:
            package, origin, _ = LATER[name]
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
            exec(marshal.loads(LATER[name][2]), module.__dict__)

def fresh():
    for path, time, size in STAMPS:
        found = posix.stat(path)
        if found.st_mtime_ns != time or found.st_size != size:
            return False
    return True

def start():
    made = {}
    try:
        for name, package, origin in NAMES:
            made[name] = sys.modules[name] = module = type(sys)(name)
            module.__file__ = origin
            parent, _, child = name.rpartition(".")
            module.__package__ = parent
            if package:
                module.__package__ = name
                module.__path__ = [origin.rpartition("/")[0]]
            if parent:
                setattr(made[parent], child, module)
        for name, code in marshal.loads(FIRST):
            exec(code, made[name].__dict__)
    except BaseException:
        for name in made:
            sys.modules.pop(name, None)
        raise

if TAG == sys.implementation.cache_tag and fresh():
    sys.meta_path.insert(0, Bundle)
    start()
"""


def path(layout: Layout, name: str) -> str:
    """The file, beside the entry file of that name, which uses it; it says which interpreter it is for."""
    return f"{layout.compiled}/{name}.{sys.implementation.cache_tag}"


def write(
    layout: Layout, name: str, every: Mapping[str, str], common: Iterable[str], libraries: Mapping[str, str]
) -> None:
    """Replace the file of one program. `every` maps modules to their sources, `common` are those that each start needs.

    `libraries` maps extension modules to their files. Raises OSError.
    """
    first = set(common)
    first = {module for module in first if all(parent in first for parent in _parents(module))}
    codes = {module: code_of(source) for module, source in every.items()}
    packages = {module for module, source in every.items() if source.endswith("/__init__.py")}
    names = {
        "NAMES": [(module, module in packages, every[module]) for module in sorted(first)],
        "FIRST": marshal.dumps([(module, codes[module]) for module in in_order(first, every)]),
        "LATER": {
            module: (module in packages, every[module], marshal.dumps(codes[module]))
            for module in every
            if module not in first
        },
        "LIBRARIES": dict(libraries),
        "STAMPS": [] if layout.modules[0].endswith("/site-packages") else [stamp(source) for source in every.values()],
        "TAG": sys.implementation.cache_tag,
    }
    content = marshal.dumps((compile(LOADER, f"{name} bundle", "exec", optimize=2), names))
    beside = f"{path(layout, name)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda file, flags: os.open(file, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout, name))


def _parents(name: str) -> Iterable[str]:
    while name := name.rpartition(".")[0]:
        yield name


def stamp(source: str) -> tuple[str, int, int]:
    found = os.stat(source)
    return source, found.st_mtime_ns, found.st_size


def in_order(names: set[str], sources: Mapping[str, str]) -> list[str]:
    """Each module after those that its top level imports."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        for other in (*reversed(list(_parents(name))), *_imported(sources[name])):
            if other in names:
                visit(other)
        order.append(name)

    for name in sorted(names):
        visit(name)
    return order


def _imported(source: str) -> Iterable[str]:
    """Names of modules that the statements at the top level of a file may import, those for type checkers left out."""
    for statement in _tree(source).body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)


def code_of(source: str) -> types.CodeType:
    return _bare(compile(_tree(source), source, "exec", dont_inherit=True, optimize=2))


def _tree(source: str) -> ast.Module:
    with open(source, "rb") as file:
        tree: ast.Module = ast.fix_missing_locations(Lean().visit(ast.parse(file.read(), source)))
    return tree


class Lean(ast.NodeTransformer):
    """Leaves out what only type checkers read: blocks under TYPE_CHECKING and the annotations of functions. Records keep theirs."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """`if TYPE_CHECKING` is its else."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Parameters and result lose their annotations."""
        self.generic_visit(node)
        node.returns = None
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if each is not None:
                each.annotation = None
        return node


def _bare(code: types.CodeType) -> types.CodeType:
    """Without line numbers, a third of the size; no program of ours shows a traceback."""
    inner = (_bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))
