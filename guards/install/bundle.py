"""The hook's modules in one file: finding, opening and reading them one by one costs more than what they do.

`gatepost compile` writes it; the entry file runs its loader before the first import. What every plain request needs is one code after
another, run without the import machinery; the rest is imported from the same file when asked for. In a source folder each source is named
with its time and size, and as soon as one differs nothing of the bundle is used; an installed package changes only with its release.
"""

from __future__ import annotations

import ast
import json
import marshal
import os
import subprocess
import sys
import types

from guards.hook.hosts import HOSTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.layout import Layout

PATIENCE = 30
"""Seconds that a trial run may take."""

LIBRARIES = ("_json", "_struct", "select", "zlib", "fcntl", "resource", "_heapq")
"""Extension modules that the hook may need; where the interpreter has them as files, their place is remembered too."""

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

PROBE = """
import os, sys
sys.path[:0] = {modules!r}
from guards.hook.main import answer
from guards.layout import Layout, bake

layout = bake(Layout(*{layout!r}))
for name in {names!r}:
    __import__(name)
nothing = os.open("/dev/null", os.O_RDONLY)
for payload in {payloads!r}:
    answer("claude", layout, descriptor=nothing, head=payload)
for name, module in sys.modules.items():
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "shims", "__future__"):
        print("code", name, source, sep="\\t")
for name in {libraries!r}:
    try:
        __import__(name)
    except ImportError:
        continue
    origin = sys.modules[name].__spec__.origin
    if origin and origin.startswith("/"):
        print("library", name, origin, sep="\\t")
"""

PLAIN = ("git push --force origin main", "git reset --hard", "rm -rf build", "cat .env", "npm publish")
"""Plain requests: what all of them import is run at once."""

OTHERS = (
    "jj describe",
    "ssh host uptime",
    'cd src && grep -rn "a b" . | sort > out; echo "$(git log -1)" `date`',
    "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\"",
    'for f in *.py; do if [ -f "$f" ]; then cp "$f" \'copy\'; fi; done; X=${Y:-z} sudo env A=1 make',
    "echo $(",
)
"""Other requests: what they import is found in the bundle when it is asked for."""


def path(layout: Layout) -> str:
    """The file, beside the entry file that uses it; it names the interpreter that it is for."""
    return f"{layout.compiled}/hook.{sys.implementation.cache_tag}"


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to answer the requests above. Raises OSError."""
    listed = _probed(layout, (*PLAIN, *OTHERS), HOSTS.values())
    every = {name: source for kind, name, source in listed if kind == "code"}
    common = set(every)
    for text in PLAIN:
        common &= {name for kind, name, _ in _probed(layout, (text,), ()) if kind == "code"}
    codes = {name: code_of(source) for name, source in every.items()}
    packages = {name for name, source in every.items() if source.endswith("/__init__.py")}
    common = {name for name in common if all(parent in common for parent in _parents(name))}
    content = marshal.dumps(
        (
            compile(LOADER, "hook bundle", "exec", optimize=2),
            {
                "NAMES": [(name, name in packages, every[name]) for name in sorted(common)],
                "FIRST": marshal.dumps([(name, codes[name]) for name in in_order(common, every)]),
                "LATER": {
                    name: (name in packages, every[name], marshal.dumps(codes[name]))
                    for name in every
                    if name not in common
                },
                "LIBRARIES": {name: source for kind, name, source in listed if kind == "library"},
                "STAMPS": []
                if layout.modules[0].endswith("/site-packages")
                else [stamp(source) for source in every.values()],
                "TAG": sys.implementation.cache_tag,
            },
        )
    )
    beside = f"{path(layout)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout))


def _parents(name: str) -> Iterable[str]:
    while name := name.rpartition(".")[0]:
        yield name


def stamp(source: str) -> tuple[str, int, int]:
    found = os.stat(source)
    return source, found.st_mtime_ns, found.st_size


def in_order(names: set[str], sources: dict[str, str]) -> list[str]:
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
    """Without line numbers, a third of the size; the hook never shows a traceback."""
    inner = (_bare(item) if isinstance(item, types.CodeType) else item for item in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=tuple(inner))


def _probed(layout: Layout, texts: Iterable[str], names: Iterable[str]) -> list[list[str]]:
    """(kind, name, file) of what the hook imports to answer, as a fresh interpreter tells; [] when it cannot. It logs into a folder of its own."""
    aside = layout.replace(state=layout.compiled + "/probe", runtime=layout.compiled + "/probe", shared=False)
    values = {
        "modules": layout.modules,
        "layout": tuple(aside),
        "names": tuple(names),
        "payloads": [_payload(text) for text in texts],
        "libraries": LIBRARIES,
    }
    os.makedirs(aside.state, mode=0o700, exist_ok=True)
    try:
        command = [layout.python, "-I", "-S", "-c", PROBE.format(**values)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return []
    finally:
        for folder, _, files in os.walk(aside.state, topdown=False):
            for name in files:
                os.unlink(f"{folder}/{name}")
            os.rmdir(folder)
    return [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]


def _payload(text: str) -> bytes:
    body = {
        "session_id": "compile",
        "cwd": "/",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    return json.dumps(body).encode()
