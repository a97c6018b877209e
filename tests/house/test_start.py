"""What a hook, a shim and the limiter import on the way to an answer; and that every Python we support can start and parse."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from policy.shell import parse
from tests.heavy import HEAVY

ROOT = Path(__file__).resolve().parents[2]
ONLY_WHEN_NOT_PLAIN = {"re", "enum", "collections", "functools", "bashlex"}
REQUESTS = {
    "nothing to say": ("npm publish --dry-run", False),
    "refused": ("rm -rf /", False),
    "asks the repository": ("git push --force origin main", False),
    "a pipe": ("cat a | sort", True),
    "a heredoc": ("git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"", True),
    "not readable": ("echo $(", True),
}
TELL = """
import sys
sys.path[:0] = LAYOUT.modules
from guards.hook.main import answer
nothing = __import__("posix").open("/dev/null", 0)
answer("claude", LAYOUT, descriptor=nothing, head=PAYLOAD)
print(*sorted(sys.modules))
"""


def payload(text):
    body = {
        "session_id": "s",
        "cwd": "/",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": text},
    }
    return json.dumps(body).encode()


def imported(layout, text):
    """Names in sys.modules after the hook has answered."""
    code = f"import sys; sys.path[:0] = {layout.modules!r}\nfrom guards.layout import Layout\n"
    code += f"LAYOUT = Layout(*{tuple(layout)!r}); PAYLOAD = {payload(text)!r}\n{TELL}"
    done = subprocess.run([layout.python, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(("text", "hard"), REQUESTS.values(), ids=REQUESTS)
def test_a_hook_imports_nothing_heavy(deployed, text, hard):
    allowed = ONLY_WHEN_NOT_PLAIN if hard else set()
    assert imported(deployed, text) & (HEAVY - allowed) == set()


def test_the_bundle_holds_what_a_plain_request_needs(deployed, tmp_path):
    """With the bundle at work, no module of ours is read from its own file."""
    done = subprocess.run(
        [deployed.python, "-I", "-S", "-v", f"{deployed.compiled}/hook.py", "claude"],
        input=payload("git push --force origin main"),
        capture_output=True,
    )
    assert done.returncode == 0
    opened = [line for line in done.stderr.decode().splitlines() if line.startswith("# code object from")]
    assert [line for line in opened if any(f"/{package}/" in line for package in ("policy", "guards", "shims"))] == []


def test_a_bundle_that_is_stale_is_not_used(deployed_here, tmp_path):
    """Touching a source puts Python back on importing files; the answer stays."""
    copy = tmp_path / "code"
    for package in ("policy", "guards", "shims", "rules"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    from guards.install import deploy

    layout = deployed_here.replace(modules=(str(copy), *deployed_here.modules[1:]))
    deploy.deploy(layout)
    for source in (copy / "policy").rglob("*.py"):
        os.utime(source)
    hook = [f"{layout.bin}/gatepost-hook", "claude"]
    done = subprocess.run(hook, input=payload("rm -rf /"), capture_output=True, env={**os.environ, "HOME": "/"})
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def interpreters():
    """Each CPython 3.11 to 3.14 that starts: on PATH, or where pyenv and uv keep theirs."""
    found = {}
    for minor in range(11, 15):
        kept = [
            *Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"),
            *Path.home().glob(f".local/share/uv/python/*3.{minor}.*/bin/python3"),
        ]
        for path in (shutil.which(f"python3.{minor}"), *sorted(map(str, kept))):
            if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                found[f"3.{minor}"] = path
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    return {**found, own: sys.executable}


PARSES = """
import sys
sys.path[:0] = {modules!r}
from policy.shell import parse, Unparsed
for text, count in {cases!r}:
    assert len(parse(text, "bash").commands) == count, text
try:
    parse("echo $(", "bash")
except Unparsed:
    print("ok")
"""
TEXTS = (
    "ls -la",
    "a && b | c; d",
    "cat <<'EOF'\nx\nEOF\n",
    "case $x in a) b;; esac; [[ -f y ]] && z",
    'echo $(date) `id` "$(cat <<E\n$(w)\nE\n)"',
    "for i in 1 2; do time x=(1 2) run; done; f() { g; }; if h; then i; fi",
)


@pytest.mark.parametrize("python", interpreters().values(), ids=interpreters())
def test_every_supported_python_starts_and_parses(python):
    """bashlex is pure Python, so the packages of the interpreter that runs the tests serve the others too."""
    modules = [str(ROOT), *(folder for folder in sys.path if folder.endswith("site-packages"))]
    cases = [(text, len(parse(text, "bash").commands)) for text in TEXTS]
    code = PARSES.format(modules=modules, cases=cases)
    done = subprocess.run([python, "-I", "-S", "-B", "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "ok", done.stderr[-2000:]
