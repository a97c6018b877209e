"""The shims: are they there, whole, and first where an agent's shells look."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from guards import session
from guards.install.doctor import Check
from guards.shim.doctor import findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient

SHELLS = ("bash", "zsh", "fish", "sh")
WAYS = ("-c", "-lc", "-ic")


def examine(patient: Patient) -> Iterator[Check]:
    """Each shim, then each shell with the shims first on PATH, as `gatepost run` starts a session."""
    folder = f"{patient.layout.prefix}/shims"
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    if not names:
        yield Check("warn", "shims", f"there are none in {folder}", "gatepost compile")
        return
    broken = [name for name in names if not os.access(f"{folder}/{name}", os.X_OK)]
    if broken:
        yield Check("fail", "shims", f"cannot be executed: {', '.join(broken)}", "gatepost compile")
    else:
        yield Check("ok", "shims", f"{len(names)} in {folder}: {', '.join(names)}")
    for level, text, cure in findings(patient.layout, patient.environment):
        yield Check(level, "shims", text, cure)
    for shell in SHELLS:
        program = shutil.which(shell, path=patient.environment.get("PATH"))
        if program:
            yield from _found_first(patient, program, folder, [name for name in names if name not in broken])


def _found_first(patient: Patient, shell: str, folder: str, names: list[str]) -> Iterator[Check]:
    """Whether the shell finds our shims in each way of starting it; a start-up file may put other folders in front again."""
    environment = {
        **patient.environment,
        "HOME": patient.home,
        session.VARIABLE: "doctor",
        "PATH": f"{folder}:{patient.environment.get('PATH', os.defpath)}",
    }
    script = "; ".join(f"command -v {name}" for name in names)
    for way in WAYS:
        try:
            made = subprocess.run(
                [shell, way, script],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=20,
                start_new_session=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            yield Check("warn", "shims", f"{shell} {way} does not come back: {error}")
            continue
        found = set(made.stdout.split("\n"))
        behind = [name for name in names if f"{folder}/{name}" not in found]
        if behind:
            text = f"{shell} {way} finds other programs first: {', '.join(behind)}"
            yield Check("warn", "shims", text, "gatepost shell-init, in the shell's start-up file")
        else:
            yield Check("ok", "shims", f"{shell} {way} finds them first")
