"""What a tree used so far."""

from __future__ import annotations

from policy.record import Record


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
