"""Where a limit is kept: one module a backend, tried in this order. Each has `create(Wish) -> Backend | str`, a str saying why not."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from guards.limits.usage import Usage
    from policy.model import LimitSpec

    class Backend(Protocol):
        """One tree's limits while it runs. Only `enter` is called in the child; nothing here waits."""

        name: str
        kernel: bool
        applied: dict[str, float]
        warnings: list[str]
        groups: tuple[str, ...]

        def enter(self) -> None:
            """In the child before exec: come under the limits. Raises OSError."""

        def watched(self) -> tuple[tuple[int, int], ...]:
            """Descriptors and poll events that mean "look now"."""

        def look(self, now: float) -> str:
            """Look at the tree; the reason to end it ("memory", "cpu-time", "processes"), or ""."""

        def pause(self) -> float:
            """Seconds until the next look is due without an event."""

        def members(self) -> list[int]:
            """Living processes of the tree."""

        def kill(self) -> int:
            """One round of SIGKILL to all; how many there were. Call again until members() is empty."""

        def usage(self) -> Usage:
            """So far; valid after the tree has ended too."""

        def close(self) -> None:
            """Remove what was made for the tree."""


KERNEL = ("cgroup2", "scope", "cgroup1")
TABLE = {
    "cgroup2": "guards.limits.backends.cgroup2",
    "scope": "guards.limits.backends.scope",
    "cgroup1": "guards.limits.backends.cgroup1",
    "proc": "guards.limits.backends.proc",
}


class Wish(Record):
    """What a backend is asked to keep: the job's id, its limits, the bytes that all jobs together may take."""

    identity: str
    spec: LimitSpec
    aggregate: int | None = None


def create(name: str, wish: Wish) -> Backend | str:
    """The backend of that name around `wish`, or the reason why it cannot be had here."""
    module = __import__(TABLE[name], fromlist=["create"])
    made: Backend | str = module.create(wish)
    return made
