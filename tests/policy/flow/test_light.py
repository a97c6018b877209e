"""Reading a plain request imports only what it needs: the hook pays for every module."""

import subprocess
import sys
from pathlib import Path

from tests.heavy import HEAVY

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys, marshal
sys.path.insert(0, sys.argv[1])
raw = marshal.loads(sys.stdin.buffer.read())
import policy.flow
from policy.model import Request
from policy.programs import Grammars
from policy.world import PathFacts
class World:
    def read_text(self, path, limit):
        return None
    def path(self, path):
        return PathFacts("missing")
for text in sys.argv[2:]:
    assert policy.flow.read(Request(text=text, cwd="/h", home="/h", dialect="bash"), World(), Grammars(raw)).invocations
print(*sorted(sys.modules))
"""
PLAIN = [
    "git reset --hard HEAD",
    "ls -la src",
    "rm -rf x",
    "uv run pytest -q",
    "git commit -m x",
    "sudo rm x",
    "cd sub",
]


def modules(*texts):
    import marshal

    from policy.programs.compile import grammars

    raw = marshal.dumps(grammars(str(ROOT / "rules" / "programs")))
    command = [sys.executable, "-I", "-S", "-c", SCRIPT, str(ROOT), *texts]
    return set(subprocess.run(command, input=raw, capture_output=True, check=True).stdout.decode().split())


def test_plain_requests_import_nothing_heavy():
    assert modules(*PLAIN) & HEAVY == set()


def test_a_plain_command_needs_no_launching():
    found = modules("git reset --hard HEAD", "rm -rf x", "ls")
    assert {name for name in found if name.startswith("policy.flow.")} == {
        "policy.flow.expand",
        "policy.flow.nesting",
        "policy.flow.start",
        "policy.flow.state",
        "policy.flow.walk",
        "policy.flow.where",
    }
