"""git: judged by the rules; in a jj repository reads are answered truly, writes translated or refused with the jj command."""

from __future__ import annotations

from guards.shim.judge import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shim.call import Call


def act(call: Call) -> None:
    """Return when the real git may run."""
    settle(call)
