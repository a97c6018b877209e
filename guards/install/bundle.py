"""The hook's modules in one file, found by asking a hook of this installation a few requests (guards.install.pack says why and how)."""

from __future__ import annotations

import json
import os
import subprocess

from guards.hook.hosts import HOSTS
from guards.install import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from guards.layout import Layout

LIBRARIES = ("_json", "_struct", "select", "zlib", "fcntl", "resource", "_heapq")
"""Extension modules that the hook may need; where the interpreter has them as files, their place is remembered too."""

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


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to answer the requests above. Raises OSError."""
    listed = _probed(layout, (*PLAIN, *OTHERS), HOSTS.values())
    every = {name: source for kind, name, source in listed if kind == "code"}
    common = set(every)
    for text in PLAIN:
        common &= {name for kind, name, _ in _probed(layout, (text,), ()) if kind == "code"}
    libraries = {name: source for kind, name, source in listed if kind == "library"}
    pack.write(layout, "hook", every, common, libraries)


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
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=pack.PATIENCE)
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
