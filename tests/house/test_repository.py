"""What may not stand in the repository: addresses of package indexes, paths of the machine it was written on, unfinished notes."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SELF = Path(__file__).name


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name] if listed.returncode == 0 else []


FORBIDDEN = {
    "address of a package index": r"https?://[\w.-]*(pypi\.org|pythonhosted\.org|registry\.npmjs\.org|deb\.debian\.org)",
    "path of a developer's machine": r"/work/(main|notes|shared)\b|/root/\.pyenv|/opt/(pypi|wheels)\b",
    "note to oneself": r"\b(TODO|FIXME|XXX:)\b",
}


@pytest.mark.parametrize("pattern", FORBIDDEN.values(), ids=FORBIDDEN)
def test_the_repository_does_not_hold(pattern):
    sought = re.compile(pattern.encode())
    found = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.is_file() and path.name != SELF and sought.search(path.read_bytes())
    ]
    assert found == []


def files_of_tests():
    """Python files of the tests; what a virtual machine left in its cache is none."""
    return [path for path in (ROOT / "tests").rglob("*.py") if "cache" not in path.relative_to(ROOT).parts]


def test_tests_are_no_packages():
    assert [path for path in files_of_tests() if path.name == "__init__.py"] == []
