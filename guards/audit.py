"""The log: one redacted JSON line for each decision that Python takes, in STATE/log.jsonl."""

from __future__ import annotations

import posix
import time

from guards import redact
from guards.wire import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.layout import Layout
    from policy.model import Decision, Request

NAME = "log.jsonl"
OLD_NAME = "log.1.jsonl"
FULL = 16 << 20
"""Bytes; a longer log becomes OLD_NAME, and the one before that is dropped."""
_SHOWN = 2000


def record(
    layout: Layout,
    request: Request,
    decision: Decision,
    *,
    error: BaseException | None = None,
    observed: bool = False,
) -> None:
    """Append one line with one write. Raises OSError when that cannot be done.

    The file is 0600 and never reached through a symbolic link. `observed` marks a decision that was not acted on.
    """
    line: dict[str, Any] = {
        "time": round(time.time(), 3),
        "door": request.door,
        "host": request.host,
        "session": request.session,
        "cwd": request.cwd,
        "action": decision.action,
        "rule": decision.rule,
        "reason": redact.text(decision.reason),
        **_asked(request),
    }
    if observed:
        line["observed"] = True
    if decision.instead:
        line["instead"] = decision.instead
    if decision.rewrite is not None:
        line["rewrite"] = redact.text(decision.rewrite[:_SHOWN])
    if decision.note:
        line["note"] = decision.note
    if decision.findings:
        line["findings"] = [[finding.rule, finding.action] for finding in decision.findings]
    if error is not None:
        from guards.hook.failure import place_of

        line["error"] = [type(error).__name__, redact.text(str(error)[:_SHOWN]), place_of(error)]
    _append(layout.state, encode(line).encode("ascii") + b"\n")


def _asked(request: Request) -> dict[str, Any]:
    if request.tool != "shell":
        return {"tool": request.tool, "path": request.path}
    if request.argv is not None:
        whole = "\n".join(word.replace("\n", "\0") for word in request.argv)  # no word can hold a NUL
        return {"argv": [word.replace("\0", "\n") for word in redact.text(whole[:_SHOWN]).split("\n")]}
    text = request.text
    return {"command": redact.text(text[:_SHOWN]), **({"length": len(text)} if len(text) > _SHOWN else {})}


def _append(folder: str, raw: bytes) -> None:
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
    path = f"{folder}/{NAME}"
    try:
        descriptor = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        _make(folder)
        descriptor = posix.open(path, flags, 0o600)
    try:
        if posix.write(descriptor, raw) != len(raw):
            raise OSError(28, "the log line was cut short", path)
        ours = posix.fstat(descriptor)
    finally:
        posix.close(descriptor)
    if ours.st_size > FULL:
        _set_aside(folder, ours.st_ino)


def _set_aside(folder: str, inode: int) -> None:
    """Rename the full log, unless another process has done so and a new one stands there."""
    try:
        if posix.lstat(f"{folder}/{NAME}").st_ino == inode:
            posix.replace(f"{folder}/{NAME}", f"{folder}/{OLD_NAME}")
    except FileNotFoundError:
        return


def _make(folder: str) -> None:
    """The folder and those above it that are missing, the owner's alone."""
    parent = folder.rpartition("/")[0]
    try:
        posix.mkdir(folder, 0o700)
    except FileNotFoundError:
        if not parent:
            raise
        _make(parent)
        posix.mkdir(folder, 0o700)
    except FileExistsError:
        pass
