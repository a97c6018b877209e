"""Programs whose command line is a language of its own; named by `reader` in their grammar files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from policy.model import Value
    from policy.programs.read import Parsed

READERS = {
    "find": "find",
    "xargs": "templates",
    "parallel": "templates",
    "env": "prefixes",
    "sudo": "prefixes",
    "ssh": "remote",
    "git": "git",
    "dd": "words",
    "tar": "archives",
    "make": "words",
    "busybox": "words",
    "sed": "scripts",
    "awk": "scripts",
    "perl": "scripts",
    "tmux": "terminals",
    "socat": "words",
    "rsync": "transfer",
    "sqlite": "scripts",
    "start_stop": "prefixes",
    "gh": "words",
    "redis": "words",
}
"""Reader name to the module of this package that has a function of that name."""


def read(name: str, words: Sequence[Value], grammar: dict[str, Any]) -> Parsed:
    """Read an argv by the named reader."""
    module = __import__("policy.programs.special." + READERS[name], fromlist=[name])
    return getattr(module, name)(words, grammar)  # type: ignore[no-any-return]
