"""ssh, scp, sftp, rsync: judged by the rules; managed hosts must answer first; nothing may wait for a password that nobody types."""

from __future__ import annotations

import posix

from guards.shim import reach, sshconfig, sshline
from guards.shim.call import Call, hand_over
from guards.shim.judge import engine, settle
from policy.rules.glob import matches
from shims import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from guards.shim.reach import Host
    from guards.shim.sshline import Endpoint, Line

WAIT = 15
CARRIERS = ("rsync", "scp", "sftp", "git")
"""Programs that start ssh for themselves; the first three were checked by their own shim."""

TYPISTS = ("sshpass", "expect")
"""Programs that answer ssh's questions in a person's stead."""


def act(call: Call) -> None:
    """Hand over with what keeps ssh from waiting for ever; return to hand over as called. Raises Refused.

    An ssh that rsync, scp, sftp or git starts was judged with the command that it carries out, and never asks a person.
    """
    parent = _parent()
    carried = call.program == "ssh" and parent in CARRIERS
    if not carried:
        settle(call)
    line = sshline.read(call.program, call.words)
    if not line.endpoints:
        return
    tables = engine(call).compiled.config.get("hosts") or {}
    if tables and not (carried and parent != "git"):
        for host in managed(call, line, tables):
            reach.check(call, host, _question(call, host, may_ask=not carried))
    words = patience(call, line, parent)
    if words:
        hand_over(call, (call.argv[0], *words, *call.words))


def patience(call: Call, line: Line, parent: str) -> list[str]:
    """Options that make ssh give up instead of asking; none where the user says otherwise or a program answers the questions."""
    if call.program == "rsync" or parent in TYPISTS:
        return []
    given = {sshline.setting(option)[0] for option in line.options}
    environment = call.environment
    answers = environment.get("SSH_ASKPASS_REQUIRE") in ("force", "prefer") or (
        "SSH_ASKPASS" in environment and "DISPLAY" in environment
    )
    words = [] if answers or "batchmode" in given else ["-oBatchMode=yes"]
    return words if sshconfig.limits_waiting(line) else [*words, f"-oConnectTimeout={WAIT}"]


def managed(call: Call, line: Line, tables: Mapping[str, Mapping[str, Any]]) -> Iterator[Host]:
    """The hosts of this command that the configuration wants asked first, under the name that is matched."""
    ssh, how = _ssh(call, line)
    ends = [*line.endpoints, *(sshline.Endpoint(jump) for jump in line.jumps)]
    told = [setting for setting in map(sshline.setting, line.options) if setting[0] in ("hostname", "proxycommand")]
    wanted = any(table.get("probe") for table in tables.values())
    for place, end in enumerate(ends):
        direct = place < len(line.endpoints)
        names = (
            sshconfig.names(ssh, line.replace(how=how if direct else ()), end.host, call.environment)
            if wanted and not end.daemon
            else (end.host,)
        )
        names += tuple(value.lower() for name, value in told if name == "hostname" and direct)
        for pattern, table in tables.items():
            name = next((name for name in names if matches(name, pattern.lower())), None)
            if name is not None and table.get("probe"):
                yield reach.Host(name, _probe(call, ssh, how if direct else (), end, table), dict(table), end)
                break


def _probe(call: Call, ssh: str, how: tuple[str, ...], end: Endpoint, table: Mapping[str, Any]) -> tuple[str, ...]:
    seconds = table.get("timeout", 5)
    limit = float(seconds) if isinstance(seconds, int | float) and seconds > 0 else 5.0
    if end.daemon:
        return (
            call.real,
            f"--contimeout={max(1, int(limit))}",
            "--timeout=10",
            *([f"--port={end.port}"] if end.port else []),
            f"rsync://{end.host}/",
        )
    return reach.probe_of(ssh, how, end, limit)


def _ssh(call: Call, line: Line) -> tuple[str, tuple[str, ...]]:
    """The real ssh, and the options that lead to the host: for rsync those of its -e."""
    if call.program == "ssh":
        return call.real, line.how
    ssh = resolve.find("ssh", call.environment.get("PATH", ""), call.layout.prefix + "/shims") or "/usr/bin/ssh"
    if call.program != "rsync":
        return ssh, line.how
    words = line.shell.split()
    return ssh, sshline.read("ssh", [*words[1:], "x"]).how if words and words[0].rpartition("/")[2] == "ssh" else ()


def _parent() -> str:
    """The name of the program that started us; "" when it cannot be told."""
    try:
        return posix.readlink(f"/proc/{posix.getppid()}/exe").rpartition("/")[2]
    except OSError:
        return ""


def _question(call: Call, host: Host, *, may_ask: bool) -> Any:
    """The way to ask a person about a host that does not answer."""

    def ask(_host: Host) -> bool | None:
        from guards import session
        from guards.shim import person

        if not may_ask:
            return None
        text = f"gatepost: {host.name!r} does not answer, and an agent wants to connect to it. Try all the same?"
        notify = host.table.get("notify")
        if isinstance(notify, list | tuple) and notify:
            return person.by_command([str(word) for word in notify], text, call.environment)
        return person.on_terminal(text, session.terminal(call.layout, call.environment))

    return ask
