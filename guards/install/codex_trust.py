"""Ask Codex itself which hooks it knows and trusts, through its app server (newline JSON; measured with 0.171)."""

from __future__ import annotations

import json
import select
import subprocess
import tempfile
import time
from typing import IO, TYPE_CHECKING, Any

from policy.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 20.0


class Hook(Record):
    """A hook as Codex lists it; `digest` is what it must be trusted as."""

    key: str
    command: str
    digest: str
    trusted: bool


def hooks(program: str, home: str, environment: Mapping[str, str]) -> list[Hook]:
    """Every hook that Codex finds for this user; [] when it does not answer as expected within PATIENCE seconds."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            server = subprocess.Popen(
                [program, "app-server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=folder,
                env={**environment, "HOME": home},
            )
        except OSError:
            return []
        with server:
            try:
                return _listed(_ask(server, folder))
            except (OSError, ValueError, KeyError, TypeError):
                return []
            finally:
                server.kill()


def _ask(server: subprocess.Popen[bytes], folder: str) -> dict[str, Any]:
    sent = server.stdin
    assert sent is not None  # noqa: S101  -- for the type checker: both are pipes
    for message in (
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "gatepost", "version": "1"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [folder]}},
    ):
        sent.write(json.dumps(message).encode() + b"\n")
    return _answer(server.stdout, 2)


def _answer(pipe: IO[bytes] | None, number: int) -> dict[str, Any]:
    """The result of the numbered request. Raises ValueError when it does not come."""
    assert pipe is not None  # noqa: S101
    deadline = time.monotonic() + PATIENCE
    waiting = b""
    while (left := deadline - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        more = pipe.read(1 << 16)
        if not more:
            break
        *lines, waiting = (waiting + more).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message.get("id") == number:
                return dict(message["result"])
    raise ValueError("no answer")


def _listed(result: dict[str, Any]) -> list[Hook]:
    return [
        Hook(hook["key"], hook.get("command") or "", hook["currentHash"], hook["trustStatus"] in ("trusted", "managed"))
        for folder in result["data"]
        for hook in folder["hooks"]
    ]
