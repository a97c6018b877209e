"""Writes everything that an installation needs beside its Python environment: compiled rules, parser tables, launchers, shims.

`install.sh` and `gatepost compile` call it, and tests do, with the interpreter that runs them. Order matters: what can refuse (the rules)
comes first, and each file is renamed into place, so that an installation answers as before until the new one can.
"""

from __future__ import annotations

import fcntl
import os
import time

from guards import silent, trust
from guards.hook import hosts
from guards.install import bundle, pack
from guards.limits import bundle as limits_bundle
from guards.shim import bundle as shim_bundle
from policy.compiled import Compiled, CompiledError
from policy.model import Decision
from policy.rules import catalog
from policy.rules import compile as compiler
from policy.shell import tables
from shims import front, generate, generate_shims, hook_program, limiter, skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from guards.layout import Layout
    from guards.trust import Project
    from shims.skip import Table

BROKEN = (
    "gatepost could not judge this: its private Python or a compiled file is missing, broken or of another version. "
    "Run `gatepost doctor`, or install.sh again."
)


PATIENCE = 60
"""Seconds to wait for another process that writes the same installation."""


def deploy(layout: Layout, *, if_stale: bool = False) -> tuple[str, ...]:
    """Make `layout` work for the interpreter `layout.python`, which must be of the running version; what was written, in words.

    `if_stale`: do nothing when another process has just done it. Raises OSError when a folder cannot be written or another process does
    not come to an end with it, and whatever the rule compiler raises for a rule that is not valid; launchers and shims are then as they were.
    """
    folders(layout)
    with open(f"{layout.compiled}/lock", "w", encoding="utf-8") as lock:
        _wait(lock)
        if if_stale and _fresh(layout):
            return ()
        done = _written(layout)
        if layout.shared:
            readable(layout.compiled)
        return done


def _wait(lock: IO[str]) -> None:
    """Take the lock. What the holder starts may come here too (a hook that finds its rules stale), so the wait has an end."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise OSError(
                    f"{lock.name}: another gatepost compile has held it for {PATIENCE} s; end it, then try again"
                ) from None
            time.sleep(0.02)
        else:
            return


def _fresh(layout: Layout) -> bool:
    try:
        Compiled.load(layout.compiled)
    except CompiledError:
        return False
    return True


def _written(layout: Layout) -> tuple[str, ...]:
    for _, step in STEPS:
        step(layout)
    return tuple(name for name, _ in STEPS)


def folders(layout: Layout) -> None:
    """The installation's folders; those that decide or hold secrets are the owner's alone."""
    for folder, mode in (
        (layout.prefix, 0o755),
        (layout.bin, 0o755),
        (layout.compiled, 0o700),
        (layout.state, 0o700),
        (layout.runtime, 0o700),
    ):
        os.makedirs(folder, mode=mode, exist_ok=True)
    os.chmod(layout.compiled, 0o700)


def readable(folder: str) -> None:
    """Let every user read what is below `folder`, and only its owner write."""
    for inside, _, files in os.walk(folder):
        os.chmod(inside, 0o755)  # noqa: S103
        for name in files:
            path = f"{inside}/{name}"
            os.chmod(path, 0o755 if os.access(path, os.X_OK) else 0o644)


def compile_rules(layout: Layout) -> None:
    """Shipped, managed and user rules to `policy.<cache_tag>`; raises for a rule that is not valid or whose example fails.

    The file `since` is touched first: whatever changes after that is newer, even while the rules are read.
    """
    generate.put(since(layout), "")
    compiler.write(catalog.sources(layout.managed, layout.config, layout.bin), layout.compiled)


def compile_project(layout: Layout, found: Project) -> tuple[str, ...]:
    """The policy with a trusted project's file in it; returns what of the file could not be used. Raises OSError and RuleError."""
    where = trust.compiled(layout, found)
    os.makedirs(where, mode=0o700, exist_ok=True)
    sources = catalog.sources(layout.managed, layout.config, layout.bin)
    text = found.content.decode("utf-8", "replace")
    return compiler.write(sources.replace(project=(found.path, text)), where, beside=layout.compiled)


def since(layout: Layout) -> str:
    """The file whose time of change says when the sources of the compiled rules were read."""
    return f"{layout.compiled}/since"


def build_tables(layout: Layout) -> None:
    """Write the LALR tables of bashlex, which otherwise cost 100 ms at each start."""

    def make(where: Layout) -> bool:
        tables.build(pack.path(where, "tables"))
        return True

    pack.renew(layout, "tables", make)


def launchers(layout: Layout) -> None:
    """The entry files, BIN/gatepost and BIN/with-limits."""
    generate.write_entries(layout)
    generate.write_launchers(layout)
    limiter.write(layout)


def bundle_limiter(layout: Layout) -> None:
    """The modules that with-limits starts with, in one file."""
    pack.renew(layout, "limits", limits_bundle.write)


def write_hook(layout: Layout) -> None:
    """BIN/gatepost-hook, and the modules that it starts Python with, in one file."""
    pack.renew(layout, "hook", bundle.write)
    put_hook(layout)


def put_hook(layout: Layout, compiler: str | None = "cc") -> None:
    """BIN/gatepost-hook with the front that the compiled rules allow: a program where `compiler` can make one, else a script.

    An installation for all users has no front: its state is not one place.
    """
    said = answers()
    parts = None if layout.shared else _front(layout)
    text = ""
    if parts is not None:
        table, watched, counter = parts
        text = front.front(front.write_table(table, layout.compiled), watched, generate.hook_path(layout), counter)
    if compiler is None or not hook_program.write(layout, said, parts, compiler):
        generate.write_hook(layout, said, text)


def _front(layout: Layout) -> tuple[Table, front.Watched, str]:
    """The table of requests that can concern no rule, what makes it stale, and the file that counts its silent answers."""
    compiled = Compiled.load(layout.compiled, check=False)
    present, absent = generate_shims.sources(layout)
    present = tuple(
        path for path in present if not path.startswith(catalog.shipped())
    )  # those change with an installation alone
    folders = tuple(folder for folder in (layout.config, layout.managed) if os.path.isdir(folder))
    watched = front.Watched((*folders, *present), absent, since(layout), generate_shims.stamp(layout))
    return skip.table(compiled), watched, silent.path(layout)


def write_shims(layout: Layout) -> None:
    """PREFIX/shims: a program for each guarded command that is found; and the modules that they start Python with, in one file."""
    pack.renew(layout, "shim", shim_bundle.write)
    generate_shims.write(layout)


def answers() -> dict[str, generate.Answer]:
    """For each host, its own ask (deny where it cannot ask), as its adapter renders it, saying that Gatepost is broken."""
    found = {}
    for name in hosts.HOSTS:
        host = hosts.find(name)
        action = "ask" if host.ASKS else "deny"
        reply = host.render(Decision(action=action, rule="self/broken", reason=BROKEN), None)
        found[name] = generate.Answer(reply.stdout, reply.stderr, reply.status)
    return found


STEPS: tuple[tuple[str, Callable[[Layout], None]], ...] = (
    ("rules", compile_rules),
    ("parser tables", build_tables),
    ("launchers", launchers),
    ("limiter's bundle", bundle_limiter),
    ("hook", write_hook),
    ("shims", write_shims),
)
