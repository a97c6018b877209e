"""Modules of one program's start in one file: finding, opening and reading them one by one costs more than what they do.

`gatepost compile` writes the file, the program's entry file runs its loader before the first import. What every start needs is one code
after another, run without the import machinery; the rest is imported from the same file when asked for. In a source folder each source is
named with its time and size, and as soon as one differs nothing of the file is used; an installed package changes only with its release.
"""

from __future__ import annotations

import ast
import hashlib
import marshal
import os
import subprocess
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from guards.layout import Layout

PATIENCE = 30
"""Seconds that a trial run may take."""

TELL = """
for name, module in list(sys.modules.items()):
    source = getattr(module, "__file__", None) or ""
    if source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "shims", "__future__"):
        print("code", name, source, sep="\\t")
    elif source.endswith(".so") and "." not in name:
        print("library", name, source, sep="\\t")
"""
"""How a trial ends: it tells which of our modules, and which of the interpreter's that are files, were imported."""

LOADER = """
import sys, _imp, marshal, posix
from _frozen_importlib import ModuleSpec

kind, modules = type(sys), sys.modules

class Bundle:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in PLACES:
            start, length = PLACES[name]
            make(*marshal.loads(posix.pread(DATA, length, BODY + start)))
            return ModuleSpec(name, Bundle, origin=modules[name].__file__)
        if name in LIBRARIES:
            return ModuleSpec(name, Bundle, origin=LIBRARIES[name])

    @staticmethod
    def create_module(spec):
        return _imp.create_dynamic(spec) if spec.name in LIBRARIES else modules[spec.name]

    @staticmethod
    def exec_module(module):
        if module.__spec__.name in LIBRARIES:
            _imp.exec_dynamic(module)

def make(names, codes):
    try:
        for name, package, origin in names:
            parent, _, child = name.rpartition(".")
            if parent and parent not in modules:
                __import__(parent)
            modules[name] = module = kind(name)
            module.__file__ = origin
            module.__package__ = parent
            if package:
                module.__package__ = name
                module.__path__ = [origin.rpartition("/")[0]]
            if parent:
                setattr(modules[parent], child, module)
        for name, code in codes:
            exec(code, modules[name].__dict__)
    except BaseException:
        for name, code in codes:
            modules.pop(name, None)
        raise

def fresh():
    for path, time, size in STAMPS:
        found = posix.stat(path)
        if found.st_mtime_ns != time or found.st_size != size:
            return False
    return True

if fresh():
    sys.meta_path.insert(0, Bundle)
    make(*FIRST)
"""
"""Runs with DATA, the open file, and BODY, where in it the groups begin. A module that is made with its group asks Python's import system for nothing."""

DIGITS = 10
"""Of the number in front that tells how long the first part is."""


def path(layout: Layout, name: str) -> str:
    """The file, beside the entry file of that name, which uses it; it says which interpreter it is for."""
    return f"{layout.compiled}/{name}.{sys.implementation.cache_tag}"


def renew(layout: Layout, name: str, make: Callable[[Layout], bool]) -> None:
    """Let `make` write the file of one program, unless it was made of the code as it is now: rules and places do not change it.

    When `make` says that the file holds less than it should (a trial run failed), it is made again the next time.
    """
    state, mark = _state(layout), f"{path(layout, name)}.of"
    try:
        with open(mark, encoding="utf-8") as file:
            if file.read() == state and os.path.exists(path(layout, name)):
                return
    except OSError:
        pass  # it is made anew
    if not make(layout):
        return
    with open(mark, "w", encoding="utf-8") as file:
        file.write(state)


def _state(layout: Layout) -> str:
    """What tells one state of the code and the interpreter from another."""
    whole = hashlib.sha256(repr((layout.modules, sys.version)).encode())
    for package in ("policy", "guards", "shims"):
        for folder, folders, files in os.walk(f"{layout.modules[0]}/{package}"):
            folders[:] = sorted(one for one in folders if one not in ("__pycache__", "shipped"))
            for name in sorted(files):
                whole.update(repr(stamp(f"{folder}/{name}")).encode())
    return whole.hexdigest()


def write(
    layout: Layout, name: str, every: Mapping[str, str], groups: Iterable[Iterable[str]], libraries: Mapping[str, str]
) -> bool:
    """Replace the file of one program. `every` maps modules to their sources, `libraries` extension modules to their files. Raises OSError.

    False when there are no modules: the file is then of no use, and Python imports them one by one.

    The first of the groups is made at every start, each other one as a whole when the first of its modules is asked for. A module belongs
    to the first group that names it; one in no group is a group of its own. What a group's modules import when they are made must belong
    to the group or to an earlier one.
    """
    first, *rest = _disjoint(groups, every)
    places: dict[str, tuple[int, int]] = {}
    body = b""
    for group in (*rest, *([module] for module in every)):
        if left := [module for module in group if module not in first and module not in places]:
            packed = marshal.dumps(_made(left, every))
            places |= dict.fromkeys(left, (len(body), len(packed)))
            body += packed
    installed = layout.modules[0].endswith("/site-packages")
    names = {
        "FIRST": _made(first, every),
        "PLACES": places,
        "LIBRARIES": dict(libraries),
        "STAMPS": [] if installed else [stamp(source) for source in every.values()],
    }
    head = marshal.dumps((_bare(compile(LOADER, f"{name} bundle", "exec", optimize=2)), names))
    beside = f"{path(layout, name)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda file, flags: os.open(file, flags, 0o600)) as out:
        out.write(str(len(head)).zfill(DIGITS).encode() + head + body)
    os.replace(beside, path(layout, name))
    return bool(every)


def tried(layout: Layout, code: str) -> tuple[dict[str, str], dict[str, str]]:
    """(modules, libraries), each name with its file, that a fresh interpreter imports to run `code`; empty when it cannot."""
    command = [layout.python, "-I", "-S", "-c", code + TELL]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {}, {}
    rows = [line.split("\t") for line in done.stdout.splitlines()] if done.returncode == 0 else []
    found = [row for row in rows if len(row) == 3]
    modules, libraries = (
        {name: source for sort, name, source in found if sort == kind} for kind in ("code", "library")
    )
    return modules, libraries


def _disjoint(groups: Iterable[Iterable[str]], every: Mapping[str, str]) -> list[list[str]]:
    """Each group without what an earlier one holds, a package before what is in it."""
    taken: set[str] = set()
    found = []
    for group in groups:
        whole = {parent for module in group for parent in (module, *_parents(module))} & every.keys()
        found.append(in_order(whole - taken, every))
        taken |= whole
    return found


def _made(
    modules: Sequence[str], every: Mapping[str, str]
) -> tuple[list[tuple[str, bool, str]], list[tuple[str, types.CodeType]]]:
    """What the loader makes modules from: name, whether it is a package, and source, parents first; then the codes in the order to run them."""
    names = [(name, every[name].endswith("/__init__.py"), every[name]) for name in sorted(modules)]
    return names, [(name, code_of(every[name])) for name in modules]


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
    """Leaves out what only type checkers read: blocks under TYPE_CHECKING and annotations. A record's become the names of its fields."""

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

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """A plain assignment, or nothing where only a type is told."""
        self.generic_visit(node)
        return ast.copy_location(ast.Assign([node.target], node.value), node) if node.value else None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A record says by `_fields` what its annotations said (policy.record), another class says nothing by them."""
        fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        names: list[ast.expr] = [ast.Constant(target.id) for target in fields if isinstance(target, ast.Name)]
        self.generic_visit(node)
        if any(isinstance(base, ast.Name) and base.id == "Record" for base in node.bases):
            node.body.insert(0, ast.Assign([ast.Name("_fields", ast.Store())], ast.Tuple(names, ast.Load())))
        node.body = node.body or [ast.Pass()]
        return node


def _bare(code: types.CodeType) -> types.CodeType:
    """Without line numbers, a third of the size; no program of ours shows a traceback."""
    inner = (_bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))
