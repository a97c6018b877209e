"""The whole way: the real client is told, by a model server of ours, to run a harmless command, and the hook must have seen it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING

from guards import history
from guards.install import hosts
from guards.install.checks.hosts import CANARY
from guards.install.doctor import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient

PATIENCE = 120


def examine(patient: Patient) -> Iterator[Check]:
    """Each host that can be run this way: those named, else those found on PATH."""
    for name in patient.hosts or hosts.names():
        installer = hosts.find(name)
        programs = (shutil.which(one, path=patient.environment.get("PATH")) for one in installer.PROGRAMS)
        program = next(filter(None, programs), None)
        if hasattr(installer, "headless") and program:
            yield _tried(patient, name, program)
        elif patient.hosts:
            why = "is not on PATH" if hasattr(installer, "headless") else "cannot be run without a person and a network"
            yield Check("note", name, f"was not tried through the client, which {why}")


def _tried(patient: Patient, name: str, program: str) -> Check:
    from guards.install.model_server import ModelServer

    began = time.time()
    with tempfile.TemporaryDirectory(prefix="gatepost-live-") as folder, ModelServer([CANARY]) as server:
        words, variables = hosts.find(name).headless(program, server.url)  # type: ignore[attr-defined]
        try:
            made = subprocess.run(
                words,
                cwd=folder,
                env={**os.environ, **patient.environment, "HOME": patient.home, **variables},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Check("fail", name, f"{program} does not come back: {error}")
    entries = history.entries(patient.layout)
    seen = [entry for entry in entries if entry["time"] >= began and history.asked(entry) == CANARY]
    if any(entry.get("host") == name for entry in seen):
        return Check("ok", name, f"the real client called the hook for `{CANARY}`, and was told: {seen[-1]['action']}")
    if not server.results:
        return Check("fail", name, f"{program} ran no command, status {made.returncode}: {made.stderr.strip()[-200:]}")
    return Check("fail", name, "the real client ran a command and did not call the hook", f"gatepost install {name}")
