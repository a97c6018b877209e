"""Decides about commands: text or argv in, a Decision out. Starts no process, writes no file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.engine import Engine as Engine
    from policy.model import Decision as Decision
    from policy.model import Request as Request

_PUBLIC = {"Engine": "policy.engine", "Request": "policy.model", "Decision": "policy.model"}


def __getattr__(name: str) -> object:
    """The public names, imported when first asked for: a hook that needs no engine does not pay for one."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'policy' has no attribute {name!r}")
    module = __import__(_PUBLIC[name], fromlist=[name])
    return getattr(module, name)
