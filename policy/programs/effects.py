"""Effects on paths from the roles that a grammar gives to operands and option values."""

from __future__ import annotations

from policy.programs.paths import effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Effect, Value
    from policy.programs.read import Parsed

REMOTE = {"remote": "read", "remote-to": "write", "remote-delete": "delete"}


def of(parsed: Parsed, cwd: str | None) -> tuple[Effect, ...]:
    """Effects in the order of the words; "-" (standard input or output) and an empty word are none."""
    found: list[Effect] = []
    for role, value, source in parsed.roles:
        if value.text in {"-", ""}:
            continue
        kind, _, extra = role.partition("/")
        if kind in REMOTE:
            if not is_remote(value):
                found.append(effect(REMOTE[kind], value, cwd, recursive=parsed.recursive, source=source))
            continue
        found.append(effect(kind, value, cwd, recursive=parsed.recursive, within=extra == "within", source=source))
    return tuple(found)


def is_remote(value: Value) -> bool:
    """Whether a word of scp or rsync names a path on another host."""
    text = value.text if value.text is not None else value.known
    if text.startswith(("rsync://", "scp://", "sftp://")):
        return True
    host, colon, _ = text.partition(":")
    return bool(colon) and bool(host) and "/" not in host
