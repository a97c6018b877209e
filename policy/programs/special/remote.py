"""ssh: options, a host, options again, then text for the shell of the other machine."""

from __future__ import annotations

from policy.model import Value
from policy.programs.options import take
from policy.programs.read import Launch, Parsed, joined, plain
from policy.programs.read import _keep as keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LOCAL_KEYS = frozenset({"proxycommand", "localcommand", "knownhostscommand", "match"})


def ssh(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """What runs there is place "remote"; ProxyCommand and LocalCommand run here."""
    parsed = Parsed()
    taken = take(words, 1, grammar, None, first=True)
    keep(parsed, taken)
    index = taken.stop
    host = words[index] if index < len(words) else None
    rest: list[Value] = []
    if host is not None:
        again = take(words, index + 1, grammar, None, first=True)
        keep(parsed, again)
        rest = list(words[again.stop :])
        parsed.operands = (host, *rest)
    for option in parsed.options:
        if option.name == "-o" and option.value is not None:
            _option(parsed, option.value)
    if any(option.name in {"-G", "-V", "-Q"} for option in parsed.options):
        return parsed
    if rest:
        launch = Launch("shell", [joined(rest)])
        launch.place = "remote"
        parsed.launches.append(launch)
    elif host is not None and not any(option.name in {"-N", "-W", "-O"} for option in parsed.options):
        parsed.stdin = "code:sh"
        parsed.place = "remote"
    return parsed


def _option(parsed: Parsed, value: Value) -> None:
    text = value.text if value.text is not None else value.known
    key, _, rest = text.replace("=", " ", 1).strip().partition(" ")
    if key.lower() in LOCAL_KEYS and rest.strip():
        rest = rest.strip()
        launch = Launch("shell", [Value(rest if value.text is not None else None, rest)])
        launch.place = "local"
        parsed.launches.append(launch)


def rsync(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """rsync: the last operand is written, the others are read; --delete removes below the last, --remove-source-files the others."""
    parsed = plain(words, grammar)
    names = {option.name for option in parsed.options if not option.negated}
    target = next((value for role, value, source in reversed(parsed.roles) if role == "remote-to"), None)
    if (
        target is not None
        and any(name.startswith("--del") for name in names)
        and not names & {"--dry-run", "--list-only"}
    ):
        parsed.roles.append(("remote-delete", target, "--delete"))
    if "--remove-source-files" in names:
        parsed.roles.extend(
            [("remote-delete", value, "--remove-source-files") for role, value, _ in parsed.roles if role == "remote"]
        )
    if names & {"--dry-run", "--list-only"}:
        parsed.roles = [
            (("remote" if role == "remote-to" else role), value, source) for role, value, source in parsed.roles
        ]
    for option in parsed.options:
        if option.name == "--rsync-path" and option.value is not None:
            launch = Launch("shell", [option.value])
            launch.place = "remote"
            parsed.launches.append(launch)
    return parsed


def scp(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Scp and sftp: as the grammar says, and the programs that -o names."""
    parsed = plain(words, grammar)
    for option in parsed.options:
        if option.name == "-o" and option.value is not None:
            _option(parsed, option.value)
    return parsed


def ansible(words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """ansible: the value of -a is a command line on the hosts, shell text for the modules shell and raw."""
    parsed = plain(words, grammar)
    module, text = "command", None
    for option in parsed.options:
        if option.name == "--module-name" and option.value is not None and option.value.text:
            module = option.value.text.rpartition(".")[2]
        elif option.name == "--args":
            text = option.value
    if text is not None and module in {"command", "shell", "raw", "script"}:
        launch = Launch("words" if module == "command" else "shell", [text])
        launch.place = "remote"
        parsed.launches.append(launch)
    return parsed
