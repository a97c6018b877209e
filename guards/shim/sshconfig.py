"""What ssh's configuration makes of a host. `ssh -G` tells, but it runs `Match exec` commands: with one of them it is not asked."""

from __future__ import annotations

import posix

from guards.layout import home_of
from guards.shim import ask, files
from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from guards.shim.sshline import Line

SYSTEM = "/etc/ssh/ssh_config"
DEEPEST = 8


def settings(line: Line) -> Iterator[tuple[str, str]]:
    """Every (name, value) of the configuration files that ssh would read, included ones too, in lower-case names."""
    home = home_of(posix.getuid())
    for path in [line.config] if line.config else [f"{home}/.ssh/config", SYSTEM]:
        yield from _file(path, home, 0)


def _file(path: str, home: str, depth: int) -> Iterator[tuple[str, str]]:
    text = (files.get(path) or b"").decode("utf-8", "replace")
    for row in text.splitlines():
        name, _, value = row.strip().replace("=", " ", 1).partition(" ")
        if not name or name.startswith("#"):
            continue
        yield name.lower(), value.strip()
        if name.lower() == "include" and depth < DEEPEST:
            for pattern in value.split():
                for found in _included(pattern.strip('"'), path, home):
                    yield from _file(found, home, depth + 1)


def _included(pattern: str, by: str, home: str) -> list[str]:
    base = "/etc/ssh" if by.startswith("/etc/ssh/") else f"{home}/.ssh"
    path = (
        home + pattern[1:] if pattern.startswith("~/") else pattern if pattern.startswith("/") else f"{base}/{pattern}"
    )
    folder, _, name = path.rpartition("/")
    try:
        return [f"{folder}/{entry}" for entry in sorted(posix.listdir(folder or "/")) if matches(entry, name)]
    except OSError:
        return []


def runs_commands(line: Line) -> bool:
    """Whether asking `ssh -G` would run a command of the configuration's."""
    return any(name == "match" and "exec" in value.lower() for name, value in settings(line))


def limits_waiting(line: Line) -> bool:
    """Whether the user has set a ConnectTimeout, here or in a file."""
    from guards.shim.sshline import setting

    given = (setting(option)[0] for option in line.options)
    return "connecttimeout" in given or any(name == "connecttimeout" for name, _ in settings(line))


def names(ssh: str, line: Line, host: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """A host as written, and the host names and jump hosts that ssh's configuration gives it."""
    if runs_commands(line):
        return (host,)
    answer = ask.run((ssh, "-G", *line.how, "--", host), environment)
    found = [host]
    for row in answer.output.splitlines():
        name, _, value = row.partition(" ")
        if name == "hostname":
            found.append(value.rstrip(".").lower())
        elif name == "proxyjump" and value != "none":
            found += [jump.rpartition("@")[2].partition(":")[0].lower() for jump in value.split(",")]
    return tuple(dict.fromkeys(found))
