"""The wheel that users get: our three packages and nothing beside them, with the rules inside and found there."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHEELS = Path(sys.prefix) / "wheels"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    local = ["--no-index", f"--find-links={WHEELS}"] if WHEELS.is_dir() else []
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *local, "--wheel-dir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("gatepost-*.whl")
    return path


def names(wheel):
    with zipfile.ZipFile(wheel) as file:
        return file.namelist()


def test_its_top_level_names_are_ours(wheel):
    top = {name.partition("/")[0] for name in names(wheel)}
    assert {name for name in top if not name.endswith(".dist-info")} == {"policy", "guards", "shims"}


def test_every_rule_is_in_it(wheel):
    inside = {name.removeprefix("policy/rules/shipped/") for name in names(wheel) if name.endswith(".toml")}
    here = {str(path.relative_to(ROOT / "rules")) for path in (ROOT / "rules").rglob("*.toml")}
    assert inside == here


def test_templates_types_and_licence_are_in_it(wheel):
    inside = set(names(wheel))
    for folder in ("shims/templates", "guards/install/templates"):
        assert {f"{folder}/{path.name}" for path in (ROOT / folder).iterdir()} <= inside
    assert {f"{package}/py.typed" for package in ("policy", "guards", "shims")} <= inside
    assert any(name.endswith("licenses/LICENSE") for name in inside)


def test_the_rules_are_found_in_an_unpacked_wheel(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path)
    code = "import sys; sys.path[:0] = sys.argv[1:]; from policy.rules.catalog import shipped; print(shipped())"
    site = [folder for folder in sys.path if folder.endswith("site-packages")]
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, tmp_path, *site], capture_output=True, text=True)
    assert done.stdout.strip() == f"{tmp_path}/policy/rules/shipped", done.stderr


LIBRARY = """
import os, sys
sys.path[:0] = sys.argv[2:]
import policy.rules.catalog, policy.rules.compile
os.mkdir(f"{sys.argv[1]}/policy", 0o700)
policy.rules.compile.write(policy.rules.catalog.sources("/nowhere", "/nowhere"), f"{sys.argv[1]}/policy")
assert policy.__file__.startswith(sys.argv[2]), policy.__file__
"""


def test_the_library_example_runs_in_an_environment_of_its_own(wheel, tmp_path):
    """As the README has it: the wheel's packages and what they need, nothing of this checkout."""
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "site")
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    example = example.replace("/home/you/.local/share/gatepost/compiled", f"{tmp_path}/policy").replace(
        "cd app && ", ""
    )
    example = example.replace('cwd="/home/you"', f'cwd="{tmp_path}/repo"')
    repo = tmp_path / "repo"
    repo.mkdir()
    for words in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", *words], cwd=repo, check=True)
    (repo / "a").write_text("a")
    subprocess.run(["git", "add", "a"], cwd=repo, check=True)
    site = [folder for folder in sys.path if folder.endswith("site-packages")]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LIBRARY + example, tmp_path, tmp_path / "site", *site],
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert done.stdout.startswith("deny git/reset-hard"), done.stderr
