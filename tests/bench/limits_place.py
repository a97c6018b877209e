"""An installation in a temporary folder with the limiter's launcher, and ways to run it."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid

from guards.install import deploy
from guards.layout import Layout, own_modules
from guards.limits.backends import Wish, create
from guards.limits.limits import LimitSpec
from shims import generate


class Place:
    """`launcher` is what a user starts; `entry` is the argv without it, `script` the launcher of a machine without a C compiler."""

    def __init__(self, folder, root):
        layout = self._layout(folder, root)
        deploy.launchers(layout)
        deploy.bundle_limiter(layout)
        plain = self._layout(f"{folder}/plain", root)
        generate.write_entries(plain)
        generate.write_launchers(plain)
        deploy.bundle_limiter(plain)
        self.script = [f"{plain.bin}/with-limits"]
        self.box = f"{layout.compiled}/box"
        self.runtime = f"{layout.runtime}/limits"
        self.folder = folder
        self.python = sys.executable
        self.launcher = [f"{layout.bin}/with-limits"]
        self.entry = [sys.executable, "-I", "-S", f"{layout.compiled}/limits.pyc"]
        self.backends = [*self._kernel(), "proc"]

    @staticmethod
    def _layout(folder, root):
        names = {
            name: f"{folder}/{name}" for name in ("prefix", "bin", "config", "state", "runtime", "compiled", "managed")
        }
        layout = Layout(**names, python=sys.executable, modules=(str(root), *own_modules()[1:]))
        deploy.folders(layout)
        return layout

    @staticmethod
    def _kernel():
        for name in ("cgroup2", "cgroup1"):
            made = create(name, Wish("bench-" + uuid.uuid4().hex, LimitSpec(memory=64 << 20)))
            if not isinstance(made, str):
                made.close()
                yield name

    def words(self, backend, *words):
        return [*self.launcher, "-q", "--backend", backend, "--report-json", f"{self.folder}/report", *map(str, words)]

    def run(self, backend, *words, **named):
        """(exit status, report) of one run."""
        named = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **named}
        done = subprocess.run(self.words(backend, *words), check=False, **named)
        with open(f"{self.folder}/report") as file:
            return done.returncode, json.load(file)
