"""The real answers to what rules ask of the outside: paths, git and jj repositories."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.world.real import RealWorld as RealWorld


def __getattr__(name: str) -> object:
    """`RealWorld`, imported when first asked for: a request that no fact concerns does not pay for it."""
    if name != "RealWorld":
        raise AttributeError(f"module 'guards.world' has no attribute {name!r}")
    from guards.world.real import RealWorld

    return RealWorld
