"""The installed engine and the real world, for whoever judges a request: hook, shim, command line."""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.layout import Layout
    from guards.world import RealWorld
    from policy.engine import Engine
    from policy.model import Request
    from policy.world import World


def engine(layout: Layout, cwd: str | None = None, *, check: bool = True) -> Engine:
    """The engine over the compiled rules, for requests from `cwd` with those of the project there when a person has trusted its file.

    What is older than a source of it is compiled anew, once. `check` False where somebody has looked at the sources already.
    Raises CompiledError.
    """
    made = _installed(layout, check=check)
    try:
        posix.stat(f"{layout.state}/trust")
    except OSError:
        return made
    from guards import trust

    found = trust.trusted(layout, cwd)
    if found is None:
        return made
    from guards import trusted

    return trusted.engine(layout, found, made)


def _installed(layout: Layout, *, check: bool) -> Engine:
    from policy import shell
    from policy.compiled import Compiled, CompiledError
    from policy.engine import Engine

    shell.use_tables(f"{layout.compiled}/tables.{sys.implementation.cache_tag}")
    try:
        return Engine.of(Compiled.load(layout.compiled, check=check))
    except CompiledError as error:
        if not error.stale:
            raise
        from guards.shim.refresh import refresh

        refresh(layout)
        return Engine.load(layout.compiled)


class Asked:
    """A world that is made when it is first asked something: most requests never do."""

    def __init__(self, make: Callable[[], RealWorld]) -> None:
        self._make = make
        self._made: RealWorld | None = None

    def __getattr__(self, name: str) -> object:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)


def world(request: Request, layout: Layout) -> World:
    """The outside as the request's commands would see it; our own shims are no programs, and our own session is no other one."""
    return Asked(lambda: _world(request, layout))  # type: ignore[return-value]


def _world(request: Request, layout: Layout) -> RealWorld:
    from guards.world import RealWorld

    def sessions(root: str) -> int:
        from guards.sessions import others

        return others(layout, request.environment)(root)

    def attest(command: tuple[str, ...], path: str, digest: str) -> bool:
        from guards.attest import attested

        return attested(command, path, digest)

    made = RealWorld(request.environment, request.home or "", hidden=(f"{layout.prefix}/shims",), sessions=sessions)
    made.attest = attest
    return made
