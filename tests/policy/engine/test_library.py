"""The library example of the README, run as it stands but for the places that it names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_readme_example_decides(deployed, dirty_repo, git_env):
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(code.splitlines()) <= 10
    code = code.replace("/home/you/.local/share/gatepost/compiled", deployed.compiled)
    code = code.replace('cwd="/home/you"', f'cwd="{dirty_repo}"').replace("cd app && ", "")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=git_env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("deny git/reset-hard")
