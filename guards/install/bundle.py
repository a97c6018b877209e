"""The hook's modules in one file, found by asking a hook of this installation a few requests (guards.install.pack says why and how)."""

from __future__ import annotations

import json
import subprocess
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

GROUPS = (
    ("git push origin topic", "git reset --hard", "git commit -m x"),
    ("git push origin topic", "git reset --hard"),
    ("rm -rf /", "npm publish", "git push --force origin main"),
    ("git reset --hard", "git checkout ."),
    ("cat a | sort", "echo 'a b'", "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\""),
)
"""Requests of one kind: about a repository, refused, about what a repository holds, not plain. What all of a kind import is made together."""

OTHERS = (
    "jj describe",
    "ssh host uptime",
    'cd src && grep -rn "a b" . | sort > out; echo "$(git log -1)" `date`',
    'for f in *.py; do if [ -f "$f" ]; then cp "$f" \'copy\'; fi; done; X=${Y:-z} sudo env A=1 make',
    "echo $(",
)
"""Other requests: what only they import is found when it is asked for."""


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to answer the requests above. Raises OSError."""
    listed = _probed(layout, (*PLAIN, *(text for group in GROUPS for text in group), *OTHERS), HOSTS.values())
    every = {name: source for kind, name, source in listed if kind == "code"}
    groups = [_shared(layout, texts) for texts in (PLAIN, *GROUPS)]
    libraries = {name: source for kind, name, source in listed if kind == "library"}
    pack.write(layout, "hook", every, groups, libraries)


def _shared(layout: Layout, texts: Iterable[str]) -> set[str]:
    """The modules that each of the requests imports."""
    return set.intersection(
        *({name for kind, name, _ in _probed(layout, (text,), ()) if kind == "code"} for text in texts)
    )


def _probed(layout: Layout, texts: Iterable[str], names: Iterable[str]) -> list[list[str]]:
    """(kind, name, file) of what the hook imports to answer in a repository, as a fresh interpreter tells; [] when it cannot."""
    with tempfile.TemporaryDirectory(dir=layout.compiled, prefix="trial.") as folder:
        trial.repository(f"{folder}/repository")
        values = {
            "modules": layout.modules,
            "layout": tuple(layout.replace(state=f"{folder}/state", runtime=f"{folder}/run", shared=False)),
            "names": tuple(names),
            "payloads": [_payload(text, f"{folder}/repository") for text in texts],
            "libraries": LIBRARIES,
        }
        command = [layout.python, "-I", "-S", "-c", PROBE.format(**values) + pack.TELL]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=pack.PATIENCE)
        except subprocess.TimeoutExpired:
            return []
    return [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]


def _payload(text: str, folder: str) -> bytes:
    body = {
        "session_id": "compile",
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    return json.dumps(body).encode()
