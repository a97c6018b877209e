"""The hook's modules in one file, found by asking a hook of this installation a few requests (guards.install.pack says why and how)."""

from __future__ import annotations

import json
import tempfile

from guards.hook.hosts import HOSTS
from guards.install import pack, trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.layout import Layout

LIBRARIES = ("select", "fcntl", "resource", "_heapq")
"""Extension modules that the hook may need besides those that the trials import; where they are files, their place is remembered too."""

PROBE = """
import os, sys
sys.path[:0] = {modules!r}
sys.modules["guards.shim.refresh"] = never = type(sys)("guards.shim.refresh")
never.refresh = lambda *_: False
from guards.hook.main import answer
from guards.layout import Layout, bake

layout = bake(Layout(*{layout!r}))
for name in {names!r}:
    __import__(name)
nothing = os.open("/dev/null", os.O_RDONLY)
for payload in {payloads!r}:
    answer("claude", layout, descriptor=nothing, head=payload)
for name in {libraries!r}:
    try:
        __import__(name)
    except ImportError:
        continue
"""

PLAIN = ("pytest -q tests", "npm publish --dry-run", "rm -r build", "git fetch")
"""Requests that get no answer: what all of them import is made at every start."""

COMPOUND = 'cd src && grep -rn "a b" . | sort > out; echo "$(git log -1)"'
SCRIPT = """\
set -e
for f in a b; do
  if [ -f "src/$f" ]; then cat "src/$f" | sort > out/$f; fi
done
name="part-$f"
mkdir -p out/new
make "$name" 2>&1
"""
GROUPS = (
    ("git push origin topic", "git reset --hard", "git commit -m x"),
    ("git push origin topic", "git reset --hard"),
    ("rm -rf /", "npm publish", "git push --force origin main"),
    ("git reset --hard", "git checkout ."),
    ("git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\"", COMPOUND, SCRIPT),
    (COMPOUND, SCRIPT),
    ("mkdir -p out/new", "echo x > out", SCRIPT),
    (SCRIPT,),
)
"""Requests of one kind: about a repository and what it holds, refused, not plain, writing files. What all of a kind import is made together."""

OTHERS = (
    "jj describe",
    "ssh host uptime",
    "X=${Y:-z} sudo env A=1 make `date` 'copy'",
    "echo $(",
)
"""Other requests: what only they import is found when it is asked for."""


def write(layout: Layout) -> bool:
    """Replace the bundle by one of what a fresh interpreter imports to answer the requests above; as pack.write. Raises OSError."""
    kinds = (PLAIN, *GROUPS)
    texts = tuple(dict.fromkeys(text for kind in kinds for text in kind))
    every, libraries = _tried(layout, (*texts, *OTHERS), HOSTS.values())
    needed = {text: set(_tried(layout, (text,), ())[0]) for text in texts}
    groups = [set.intersection(*(needed[text] for text in kind)) for kind in kinds]
    return pack.write(layout, "hook", every, groups, libraries)


def _tried(layout: Layout, texts: Iterable[str], names: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What the hook imports to answer in a repository; as pack.tried."""
    with tempfile.TemporaryDirectory(dir=layout.compiled, prefix="trial.") as folder:
        trial.repository(f"{folder}/repository")
        values = {
            "modules": layout.modules,
            "layout": tuple(layout.replace(state=f"{folder}/state", runtime=f"{folder}/run", shared=False)),
            "names": tuple(names),
            "payloads": [_payload(text, f"{folder}/repository") for text in texts],
            "libraries": LIBRARIES,
        }
        return pack.tried(layout, PROBE.format(**values))


def _payload(text: str, folder: str) -> bytes:
    body = {
        "session_id": "compile",
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    return json.dumps(body).encode()
