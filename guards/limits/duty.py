"""CPU kept by turns where no quota can be had: the tree is stopped while it has used more than its cores allow, and continued when that is paid."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]

from guards.limits import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Backend

TURN = 0.1
"""Seconds between two reckonings while the tree runs."""
SAVED = 0.1
"""Seconds of unused allowance that may be spent later in a burst."""


class Duty:
    """Reckons allowed against used CPU seconds. `stopped` is when the tree may run again, 0 while it runs."""

    def __init__(self, cores: float) -> None:
        self.cores = cores
        self.credit = SAVED * cores
        self.used = 0.0
        self.at = 0.0
        self.stopped = 0.0
        self.throttled = 0.0

    def pause(self) -> float:
        return TURN

    def step(self, now: float, backend: Backend) -> None:
        """Stop or continue the tree as its account says."""
        cpu = backend.usage().cpu
        if self.at:
            self.credit = min(
                SAVED * self.cores, self.credit + self.cores * (now - self.at) - max(0.0, cpu - self.used)
            )
        self.at, self.used = now, max(cpu, self.used)
        if self.stopped and now >= self.stopped:
            self.stopped = 0.0
            tree.send(backend.members(), _signal.SIGCONT)
        elif not self.stopped and self.credit < 0:
            self.stopped = now - self.credit / self.cores
            self.throttled += self.stopped - now
            tree.send(backend.members(), _signal.SIGSTOP)
