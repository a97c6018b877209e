"""Stand-in until the guest tests it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Wish


def create(_wish: Wish) -> str:
    """Not yet."""
    return "not available"
