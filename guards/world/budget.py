"""How much work the answers of one request may cost: counted in steps, so that a busy machine gives the same answer."""

from __future__ import annotations

from policy.world import Unanswered

STEPS = 160_000
"""A step is one directory entry, one stat, one object or 64 KiB of file content: 20,000 tracked files need about 45,000."""
CHUNK = 65_536


class Budget:
    """Steps left. `spend` raises `Unanswered`, naming what was being looked at, when they are used up."""

    __slots__ = ("left",)

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps

    def spend(self, steps: int, what: str) -> None:
        self.left -= steps
        if self.left < 0:
            raise Unanswered(f"{what}: more work than one request may cost")
