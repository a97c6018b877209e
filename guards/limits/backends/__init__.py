"""Where a limit is kept: one module a backend, tried in this order. Each has `create(Wish) -> Backend | str`, a str saying why not."""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from guards.limits.limits import LimitSpec

    class Backend(Protocol):
        """One tree's limits while it runs; nothing here waits."""

        name: str
        kernel: bool
        by_descent: bool
        """The tree is empty exactly when the supervisor has no child: a walk alone may miss one that changes its parent meanwhile."""
        applied: dict[str, float]
        warnings: list[str]
        groups: tuple[str, ...]
        entrance: tuple[str, ...]
        """Files into which the child writes "0" before exec: so it comes under the limits."""
        threads: int
        """What this user may have in all, for RLIMIT_NPROC of the child; 0 for no such ceiling."""

        def watched(self) -> tuple[tuple[int, int], ...]:
            """Descriptors and poll events that mean "look now"."""

        def look(self, now: float, *, alarmed: bool) -> str:
            """Look at the tree; the reason to end it ("memory", "cpu-time", "processes"), or "". `alarmed`: a watched descriptor told something."""

        def pause(self) -> float:
            """Seconds until the next look is due without an event."""

        def members(self) -> list[int]:
            """Living processes of the tree."""

        def kill(self) -> int:
            """One round of SIGKILL to all; how many there were. Call again until members() is empty."""

        def memory(self, *, fresh: bool = False) -> int:
            """Bytes that were the program's own at the last look; reads nothing, unless a `fresh` figure is asked for and cheap."""

        def usage(self) -> Usage:
            """So far; valid after the tree has ended too."""

        def close(self) -> None:
            """Remove what was made for the tree."""


class Usage(Record):
    """Bytes, seconds, counts; None where the backend cannot know.

    memory     the program's own at the last look: heap, stacks, shared memory
    peak       the most memory charged at once, page cache included where the kernel counts it
    anonymous  the most that was the program's own, as far as it was looked at
    cache      page cache charged at the last look
    shared     tmpfs and shared memory still charged at the last look: what stays after the processes are gone
    processes  the most at once
    refused    forks that the process limit refused
    """

    memory: int | None = None
    peak: int | None = None
    anonymous: int | None = None
    cache: int | None = None
    shared: int | None = None
    cpu: float = 0.0
    processes: int | None = None
    oom_kills: int = 0
    throttled: float = 0.0
    refused: int = 0


KERNEL = ("cgroup2", "scope", "cgroup1")
LOOKING = ("proc", "portable")
TABLE = {
    "cgroup2": "guards.limits.backends.cgroup2",
    "scope": "guards.limits.backends.scope",
    "cgroup1": "guards.limits.backends.cgroup1",
    "proc": "guards.limits.backends.proc",
    "portable": "guards.limits.backends.portable",
}


class Wish(Record):
    """What a backend is asked to keep: the job's id, its limits, the bytes that all jobs together may take.

    partial   an OOM kill of one process does not end the others
    tried     the scope backend is known to work here; `remember` is called once it is found to
    """

    identity: str
    spec: LimitSpec
    aggregate: int | None = None
    partial: bool = False
    tried: bool = False
    remember: Callable[[str], None] | None = None


def create(name: str, wish: Wish) -> Backend | str:
    """The backend of that name around `wish`, or the reason why it cannot be had here."""
    module = __import__(TABLE[name], fromlist=["create"])
    made: Backend | str = module.create(wish)
    return made
