"""ssh: options, a host, options again, then text for the shell of the other machine."""

from __future__ import annotations

from policy.model import Value
from policy.programs.options import take
from policy.programs.read import Launch, Parsed, joined
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
