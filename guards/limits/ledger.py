"""One record a job: who holds what, who waits for what. A record counts only while its holder lives, on this boot."""

from __future__ import annotations

import time

from guards.limits.procfs import alive, boot_id, numbering
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.limits.store import Store

VERSION = 2
STALE = 30.0
"""Seconds after which an observed figure no longer counts: the job may have grown since."""


class Job(Record):
    """Bytes, seconds on the clock of this boot that nobody sets, and names. `identity` is PID-START of the supervisor.

    boot     what its pid means: the boot and the pid namespace that it was made in
    state    waiting, running, or left (its command has ended, `--leftover leave` let others live on in `groups`)
    budget   what it may come to need; `observed` what it needed at `seen`
    ticket   place in the queue, the smaller the earlier, 0 for who did not queue; `passed` how often a later job was let past
    why      what it waits for: memory, slot, pressure, swap, load, unknown
    within   identity of the job that it runs inside of, "" for none
    """

    identity: str
    boot: str
    state: str
    command: str = ""
    cwd: str = ""
    budget: int = 0
    observed: int = 0
    seen: float = 0.0
    since: float = 0.0
    ticket: int = 0
    passed: int = 0
    why: tuple[str, ...] = ()
    slot: str = ""
    most: int = 1
    within: str = ""
    backend: str = ""
    limit: int = 0
    groups: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        return int(self.identity.partition("-")[0])

    @property
    def start(self) -> int:
        return int(self.identity.partition("-")[2])

    def unrealised(self, now: float) -> int:
        """Bytes that it may still take beyond what the machine already shows as taken."""
        if self.state != "running" or self.within:
            return 0
        return max(0, self.budget - (self.observed if now - self.seen <= STALE else 0))


_SAMPLE = Job("1-1", "", "running").as_dict()
_ESCAPES = (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"))


def show(job: Job) -> str:
    """The record's text: a line a field, `name value`; several values are set apart by tabs. Plain text needs no JSON codec at start-up."""
    lines = [f"version {VERSION}"]
    for name, value in job.as_dict().items():
        values = value if isinstance(value, tuple) else (value,)
        lines.append(f"{name} " + "\t".join(_escaped(str(item)) for item in values))
    return "\n".join(lines) + "\nend\n"


def _escaped(text: str) -> str:
    if not text.isprintable() or "\\" in text:
        for plain, written in _ESCAPES:
            text = text.replace(plain, written)
    return text


def _plain(text: str) -> str:
    if "\\" not in text:
        return text
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\t", "\t") for part in parts)


def parse(name: str, text: str) -> Job | None:
    """The record in a file; None for anything that is not a whole one of ours."""
    first, *lines = text.split("\n")
    pid, _, start = name.partition("-")
    if first != f"version {VERSION}" or lines[-2:] != ["end", ""] or not (pid.isdigit() and start.isdigit()):
        return None
    values: dict[str, Any] = {}
    for line in lines[:-2]:
        field, _, value = line.partition(" ")
        kind: Any = type(_SAMPLE.get(field))
        try:
            values[field] = (
                tuple(_plain(item) for item in value.split("\t") if item) if kind is tuple else kind(_plain(value))
            )
        except (TypeError, ValueError):
            return None
    if not _SAMPLE.keys() >= values.keys() or values.get("identity") != name:
        return None
    try:
        return Job(**values)
    except TypeError:
        return None


def publish(store: Store, job: Job) -> None:
    """Write or replace the job's record. Raises StoreError."""
    store.write(job.identity, show(job))


def jobs(store: Store) -> tuple[list[Job], list[Job]]:
    """(living or left, dead): dead jobs' holders are gone, or were of another boot. Changes nothing.

    Of a holder in another pid namespace nothing can be asked: it lives as long as it renews its record.
    """
    here, boot, now = numbering(), boot_id(), time.monotonic()
    living: list[Job] = []
    dead: list[Job] = []
    for name in store.names():
        job = parse(name, store.read(name))
        if job is None:
            continue
        if job.boot == here:
            holds = job.state == "left" or alive(job.pid, job.start)
        else:
            holds = job.boot.startswith(boot) and (job.state == "left" or now - job.seen <= STALE)
        (living if holds else dead).append(job)
    living.sort(key=lambda job: (job.ticket, job.identity))
    return living, dead


def settle(store: Store, say: Callable[[str], None]) -> list[Job]:
    """Under the lock: the living jobs, after what dead ones left has been ended and told."""
    living, dead = jobs(store)
    if dead or any(job.state == "left" for job in living):
        from guards.limits.sweep import ended_line, sweep, tidy

        for gone, count in sweep(store, dead):
            say(f"with-limits: {ended_line(gone, count)}")
        living = tidy(store, living)
    return living


def enter(store: Store, job: Job, say: Callable[[str], None]) -> None:
    """Start without a queue: publish as running."""
    with store:
        settle(store, say)
        publish(store, job)
