"""A file has one subject and at most 300 lines; a function fits a screen."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for package in ("policy", "guards", "shims") for path in (ROOT / package).rglob("*.py"))
FILE, FUNCTION = 300, 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_and_its_functions_stay_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= FILE
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    assert [
        f"{node.name}: {size}" for node in functions if (size := node.end_lineno - node.lineno + 1) > FUNCTION
    ] == []
