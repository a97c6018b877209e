"""The user's shell: output of its start-up files in front of a hook's answer makes hosts that start hooks through it run the command."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from guards.install.doctor import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient

PATIENCE = 20


def examine(patient: Patient) -> Iterator[Check]:
    """Whether `$SHELL -lc` is silent."""
    shell = patient.environment.get("SHELL", "/bin/sh")
    try:
        made = subprocess.run(
            [shell, "-lc", ":"],
            env={**patient.environment, "HOME": patient.home},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        yield Check("warn", "shell", f"{shell} -lc does not come back: {error}", "mend its start-up files")
        return
    if made.stdout:
        text = f"{shell} -lc prints {made.stdout[:40]!r} by itself: Codex and others start hooks that way, and could not read our answer"
        yield Check("fail", "shell", text, "let its start-up files print only in interactive shells")
    else:
        yield Check("ok", "shell", f"{shell} -lc is silent")
