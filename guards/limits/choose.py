"""Which backend keeps this run's limits: the first of the order that can, the reasons of those that cannot kept for the one warning."""

from __future__ import annotations

from guards.limits.backends import KERNEL, create

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.limits.backends import Backend, Wish
    from guards.limits.options import Asked


class Unfit(Exception):  # noqa: N818
    """No backend can keep what was asked; the message says why for each."""


def choose(asked: Asked, wish: Wish) -> Backend:
    """The backend, with its groups made and limits read back. Raises Unfit."""
    order = (asked.backend,) if asked.backend else (*KERNEL, "proc")
    reasons = []
    for name in order:
        if name == "proc" and asked.require_kernel:
            break
        made = create(name, wish)
        if not isinstance(made, str):
            return made
        reasons.append(f"{name}: {made}")
    raise Unfit("no kernel limit can be had here (" + "; ".join(reasons) + ")")
