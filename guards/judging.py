"""The installed engine and the real world, for whoever judges a request: hook, shim, command line."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.world import RealWorld
    from policy.engine import Engine
    from policy.model import Request


def engine(layout: Layout, *, check: bool = True) -> Engine:
    """The engine over the compiled rules, which are compiled anew once when a source of them is newer. Raises CompiledError.

    `check` False where somebody has looked at the sources already.
    """
    from policy.compiled import Compiled, CompiledError
    from policy.engine import Engine
    from policy.shell import tables

    tables.use(f"{layout.compiled}/tables.{sys.implementation.cache_tag}")
    try:
        return Engine.of(Compiled.load(layout.compiled, check=check))
    except CompiledError as error:
        if not error.stale:
            raise
        from guards.shim.refresh import refresh

        refresh(layout)
        return Engine.load(layout.compiled)


def world(request: Request, layout: Layout) -> RealWorld:
    """The outside as the request's commands would see it; our own shims are no programs, and our own session is no other one."""
    from guards.world import RealWorld

    def sessions(root: str) -> int:
        from guards.sessions import others

        return others(layout, request.environment)(root)

    return RealWorld(request.environment, request.home or "", hidden=(f"{layout.prefix}/shims",), sessions=sessions)
