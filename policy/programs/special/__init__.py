"""Programs whose command line is a language of its own; named by `reader` in their grammar files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.model import Value
    from policy.programs.read import Parsed

READERS = {
    "ansible": "remote",
    "awk": "scripts",
    "busybox": "applets",
    "capsh": "prefixes",
    "cargo": "applets",
    "cmake": "applets",
    "chmod": "words",
    "dd": "words",
    "docker": "containers",
    "env": "prefixes",
    "fd": "find",
    "find": "find",
    "flock": "prefixes",
    "gh": "applets",
    "git": "git",
    "make": "words",
    "node": "scripts",
    "nox": "words",
    "pager": "scripts",
    "parallel": "templates",
    "perl": "scripts",
    "redis": "words",
    "rsync": "remote",
    "scp": "remote",
    "screen": "terminals",
    "sed": "scripts",
    "setarch": "prefixes",
    "socat": "words",
    "sqlite": "scripts",
    "ssh": "remote",
    "start_stop": "prefixes",
    "strace": "prefixes",
    "sudo": "prefixes",
    "tar": "archives",
    "tmux": "terminals",
    "twice": "prefixes",
    "vim": "scripts",
    "xargs": "templates",
}
"""Reader name to the module of this package that has a function of that name."""


def read(name: str, words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Read an argv by the named reader."""
    module = __import__("policy.programs.special." + READERS[name], fromlist=[name])
    return getattr(module, name)(words, grammar)  # type: ignore[no-any-return]
