"""What the tests of shims share: installations in a temporary folder, and a folder that is put back between two runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from guards.install import deploy
from guards.shim import bundle
from policy.rules import catalog
from policy.rules import compile as rules
from shims import generate_shims
from tests.layouts import keep

JJ_BIN = os.environ.get("GATEPOST_TEST_JJ_BIN", "/opt/jj/bin")
SYSTEM = os.environ["PATH"]
NEWER = f"{JJ_BIN}:{SYSTEM}" if os.path.isdir(JJ_BIN) else SYSTEM
"""Where tests look for programs; NEWER has a jj and a newer git first, where the machine has them."""


@dataclass
class Place:
    """A folder that is put back between two runs of the same command."""

    folder: Path
    pristine: Path
    environment: dict
    shims: str
    extra: dict = field(default_factory=dict)

    def run(self, argv, *, shimmed, stdin=b"", **more):
        """Run in a fresh copy; (status, stdout, stderr)."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        shutil.copytree(self.pristine, self.folder, symlinks=True)
        environment = {**self.environment, **self.extra}
        if shimmed:
            environment["PATH"] = f"{self.shims}:{environment['PATH']}"
        done = subprocess.run(
            argv, cwd=self.folder, env=environment, input=stdin, capture_output=True, timeout=120, **more
        )
        return done.returncode, done.stdout, done.stderr


def tree(folder, *, leave=("index", "fsmonitor--daemon")):
    """Every file below a folder with its bytes, links with their targets; git's index apart, which holds times and inode numbers."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = os.readlink(path)
        elif path.is_file() and path.name not in leave:
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def install(layout, compiler="cc", path=NEWER):
    """What deploy does, without trying the rules' examples: those are tests of their own."""
    deploy.folders(layout)
    keep(layout.compiled)
    rules.write(catalog.sources(layout.managed, layout.config, layout.bin), layout.compiled, check=False)
    deploy.build_tables(layout)
    deploy.launchers(layout)
    deploy.write_hook(layout)
    bundle.write(layout)
    generate_shims.write(layout, path=path, compiler=compiler)


def first(folder, environment):
    """The environment with a folder first on PATH."""
    return {**environment, "PATH": f"{folder}:{environment['PATH']}"}
