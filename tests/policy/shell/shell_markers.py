"""Which marker commands zzN does a shell really run? The judge of every reading."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MARKERS = 90
_NAME = re.compile(r"zz\d+")


class Markers:
    """A folder with commands zz1, zz2, ... that only log their own name, and the shells that run programs of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0
        self.log = folder / "log"
        self.bin = folder / "bin"
        self.work = folder / "work"
        self.bin.mkdir()
        self.work.mkdir()
        marker = self.bin / "marker"
        marker.write_text(f"#!/bin/sh\n{_logged('${0##*/}', '$ZZ_LOG')}\nexit ${{ZZ_STATUS:-0}}\n")
        marker.chmod(0o755)
        for number in range(1, MARKERS):
            os.symlink("marker", self.bin / f"zz{number}")

    def accepts(self, shell: str, text: str) -> bool:
        """Whether the shell finds no syntax error in the text."""
        done = subprocess.run(
            [*_argv(shell), "-n", "-c", text], capture_output=True, stdin=subprocess.DEVNULL, env=self._environment(0)
        )
        return done.returncode == 0

    def executed(self, shell: str, text: str) -> set[str]:
        """The names of the markers that ran, in two runs with different statuses."""
        if shell == "bash":
            return self._with_handler(text)
        ran: set[str] = set()
        for status in (0, 1):
            self._next_log()
            ran |= self._run([*_argv(shell), "-c", text], status)
        return ran

    def _with_handler(self, text: str) -> set[str]:
        """bash can log a command that it does not find, which is much faster than starting one."""
        ran: set[str] = set()
        for status in (0, 1):
            body = f"{_logged('$1', self._next_log())}; return $((RANDOM & 1));"
            handler = f"command_not_found_handle() {{ {body} }}\nRANDOM={status}77\n"
            ran |= self._run([*_argv("bash"), "-c", handler + text], status, path="/nonexistent")
        return ran

    def _next_log(self) -> Path:
        """A log for this run alone: what earlier runs left in the background may still write to theirs."""
        self.runs += 1
        self.log = self.folder / f"log{self.runs % 64}"
        self.log.unlink(missing_ok=True)
        self.log.touch()
        return self.log

    def _run(self, argv: list[str], status: int, path: str = "") -> set[str]:
        environment = self._environment(status)
        if path:
            environment["PATH"] = path
        run = subprocess.Popen(
            argv,
            cwd=self.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_limit,  # noqa: PLW1509  # a coproc of zsh leaves the process group: its endless loop must end by itself
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(timeout=1)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)  # endless loops in the background too
        run.wait()
        return {name for name in self.log.read_text(errors="replace").split("\0") if _NAME.fullmatch(name)}

    def _environment(self, status: int) -> dict[str, str]:
        return {
            "PATH": str(self.bin),
            "HOME": str(self.work),
            "ZZ_STATUS": str(status),
            "ZZ_LOG": str(self.log),
            "LC_ALL": "C.UTF-8",
        }


def _logged(name: str, log: object) -> str:
    """A command that appends the name and a NUL."""
    return f"printf '%s\\0' \"{name}\" >>{log}"


def _limit() -> None:
    """At most two seconds of CPU for each process that a program starts."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 2))


def _argv(shell: str) -> list[str]:
    options = {"bash": ["--norc"], "zsh": ["-f"], "dash": []}[shell]
    return [shutil.which(shell) or shell, *options]
