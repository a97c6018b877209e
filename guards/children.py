"""How a child of ours ended, whoever started us: a host that ignores SIGCHLD hands that on, and the kernel then throws every status away.

A wait that learns nothing must never be taken for a child that said yes.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]


class Told:
    """While it is entered, children that are started and waited for leave their status. The disposition found comes back afterwards."""

    def __enter__(self) -> None:
        self._ignored = _signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN
        if self._ignored:
            _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)

    def __exit__(self, *_error: object) -> None:
        if self._ignored:
            _signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)


def always() -> None:
    """The same for the rest of this process and what it becomes."""
    Told().__enter__()
