"""guards may import shims and policy, shims may import policy, policy imports neither: found by reading every import statement."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {"policy": {"policy"}, "shims": {"shims", "policy"}, "guards": {"guards", "shims", "policy"}}
FILES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


def imported(tree):
    """(line, top-level name) of every import at any depth, those that only a type checker sees too, and import_module of a literal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield node.lineno, node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "import_module",
            "__import__",
        ):
            argument = node.args[0]
            if isinstance(argument, ast.Constant):
                yield node.lineno, argument.value.partition(".")[0]


def strays(source, package):
    return [
        f"{line}: {name}"
        for line, name in imported(ast.parse(source))
        if name in MAY_IMPORT.keys() - MAY_IMPORT[package]
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_downwards(path):
    assert strays(path.read_text(), path.relative_to(ROOT).parts[0]) == []


@pytest.mark.parametrize(
    "source",
    [
        "import guards.layout",
        "from guards import x",
        "def f():\n    import shims",
        "import_module('guards.world')",
        "__import__('guards')",
    ],
)
def test_the_test_sees_an_import_upwards(source):
    assert strays(source, "policy")


def test_only_the_named_modules_import_pydantic():
    """Validation is for compile time: whoever imports it pays 100 ms."""
    users = {
        str(path.relative_to(ROOT))
        for path in FILES
        if any(name == "pydantic" for _, name in imported(ast.parse(path.read_text())))
    }
    assert users <= {"policy/rules/schema.py", "policy/programs/schema.py", "policy/config.py"}


def test_the_virtual_machine_gets_what_the_limiter_imports():
    """tests/vm/run copies the limiter into a guest that has nothing else of us; only the installer uses its bundle."""
    given = re.search(r"^for part in (.*); do$", (ROOT / "tests/vm/run").read_text(), re.MULTILINE)[1].split()
    sources = [path for path in (ROOT / "guards/limits").rglob("*.py") if path.name != "bundle.py"]
    named = {name for path in sources for name in re.findall(r"^ *from (guards\.\w+)", path.read_text(), re.MULTILINE)}
    assert "guards.layout" in named
    assert {name.replace(".", "/") for name in named} <= {part.removesuffix(".py") for part in given}
