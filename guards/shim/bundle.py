"""All modules of a judged shim's start in one file: finding, opening and reading them one by one costs more than what they do.

`gatepost compile` writes it, the entry file runs its loader before the first import; both are the hook's (guards.install.bundle). What
every judged git command needs is run at once, the rest is imported from the same file when asked for.
"""

from __future__ import annotations

import marshal
import os
import subprocess
import sys

from guards.install import bundle as hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from guards.layout import Layout

PLAIN = (("git", "-C", ".", "rev-parse", "HEAD"), ("git", "stash", "list"), ("git", "config", "--get", "user.name"))
"""What all of these import is run at once."""

OTHERS = (
    "guards.shim.jjparent", "guards.shim.jjread", "guards.shim.jj", "guards.shim.jjcommit", "guards.shim.jjworkspace", "guards.shim.ssh",
    "guards.shim.uv", "guards.shim.equivalents", "guards.limits.nested", "guards.grants", "guards.audit",
)  # fmt: skip
"""Modules of other commands."""

PROBE = """
import sys
sys.path[:0] = {modules!r}
from guards.layout import Layout, bake

layout = bake(Layout(*{layout!r}))
for name in ("guards.shim.main", "guards.shim.git", *{names!r}):
    __import__(name)
from guards.shim.call import Call
from guards.shim.judge import settle

for argv in {argvs!r}:
    settle(Call(argv[0], "/bin/false", argv, "/", {{}}, layout))
for name, module in sys.modules.items():
    source = getattr(module, "__file__", None)
    if source and source.endswith(".py") and name.partition(".")[0] in ("policy", "guards", "shims", "__future__"):
        print(name, source, sep="\\t")
"""


def path(layout: Layout) -> str:
    """The file, beside the entry file that uses it; it names the interpreter that it is for."""
    return f"{layout.compiled}/shim.{sys.implementation.cache_tag}"


def write(layout: Layout) -> None:
    """Replace the bundle by one of what a fresh interpreter imports to judge. Raises OSError."""
    every = _probed(layout, PLAIN, OTHERS)
    common = set(every)
    for argv in PLAIN:
        common &= _probed(layout, (argv,), ()).keys()
    codes = {name: hook.code_of(source) for name, source in every.items()}
    packages = {name for name, source in every.items() if source.endswith("/__init__.py")}
    order = hook.in_order(common, every)
    names = {
        "NAMES": [(name, name in packages, every[name]) for name in sorted(common)],
        "FIRST": marshal.dumps([(name, codes[name]) for name in order]),
        "LATER": {
            name: (name in packages, every[name], marshal.dumps(codes[name])) for name in every if name not in common
        },
        "LIBRARIES": {},
        "STAMPS": []
        if layout.modules[0].endswith("/site-packages")
        else [hook.stamp(source) for source in every.values()],
        "TAG": sys.implementation.cache_tag,
    }
    content = marshal.dumps((compile(hook.LOADER, "shim bundle", "exec", optimize=2), names))
    beside = f"{path(layout)}.{os.getpid()}.new"
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(content)
    os.replace(beside, path(layout))


def _probed(layout: Layout, argvs: Sequence[tuple[str, ...]], names: Iterable[str]) -> dict[str, str]:
    """Module names with their files, as a fresh interpreter imports them to judge; {} when it cannot."""
    probe = PROBE.format(modules=layout.modules, layout=tuple(layout), argvs=tuple(argvs), names=tuple(names))
    command = [layout.python, "-I", "-S", "-c", probe]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", timeout=hook.PATIENCE)
    except subprocess.TimeoutExpired:
        return {}
    if done.returncode:
        return {}
    return dict(row.split("\t") for row in done.stdout.splitlines())
