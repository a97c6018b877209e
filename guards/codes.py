"""Codes: what a person may let pass once with `gatepost allow-once CODE`. Bound to rules, argv, directory, HEAD and session; ten minutes.

The code goes to the person (terminal, log, statusline), never into text that the model reads. A code that is used becomes a grant.
"""

from __future__ import annotations

import marshal
import posix
import time

from guards import grants, kin, private
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from guards.layout import Layout

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 6
FORMAT = 1
BIGGEST = 65536


class Pending(Record):
    """What waits for a person's word. `head` is the commit that HEAD meant, "" outside of a repository; `agent` a process mark (guards.kin)."""

    code: str
    time: float
    rules: tuple[str, ...]
    argv: tuple[str, ...]
    cwd: str
    head: str
    session: str
    agent: str


def offer(layout: Layout, rules: Sequence[str], argv: Sequence[str], cwd: str, session: str) -> str:
    """A new code for exactly this; "" when it cannot be kept."""
    where = grants.folder(layout, "codes")
    if where is None:
        return ""
    _sweep(where)
    for pending in listed(layout):
        if (pending.rules, pending.argv, pending.cwd, pending.session) == (tuple(rules), tuple(argv), cwd, session):
            return pending.code
    code = "".join(LETTERS[byte % len(LETTERS)] for byte in _random(LENGTH))
    pending = Pending(code, time.time(), tuple(rules), tuple(argv), cwd, head(cwd), session, kin.agent())
    try:
        opened = posix.open(
            f"{where}/{code}", posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
        )
        posix.write(opened, marshal.dumps((FORMAT, *pending)))
        posix.close(opened)
    except OSError:
        return ""
    return code


def listed(layout: Layout) -> list[Pending]:
    """What waits now, newest first."""
    where = grants.folder(layout, "codes")
    found = [_read(f"{where}/{name}") for name in posix.listdir(where)] if where else []
    fresh = (pending for pending in found if pending and 0 <= time.time() - pending.time <= grants.SECONDS)
    return sorted(fresh, key=lambda pending: -pending.time)


def redeem(layout: Layout, code: str) -> Pending | str:
    """Use a code up: its grants are left. The reason in words when it is not to be had."""
    where = grants.folder(layout, "codes")
    if where is None or len(code) != LENGTH or not set(code) <= set(LETTERS):
        return "there is no such code"
    pending = _read(f"{where}/{code}")
    try:
        posix.unlink(f"{where}/{code}")
    except OSError:
        return "there is no such code; each holds for ten minutes and once"
    if pending is None or not 0 <= time.time() - pending.time <= grants.SECONDS:
        return "it is older than ten minutes; let the agent try again"
    if head(pending.cwd) != pending.head:
        return "HEAD of that repository has moved since; let the agent try again"
    for rule in pending.rules:
        if not grants.leave_for(layout, rule, pending.argv, pending.cwd, (pending.session, pending.agent)):
            return "the grant could not be written"
    return pending


def head(cwd: str) -> str:
    """The commit that HEAD means in a directory, "" where there is none or it cannot be told."""
    from guards.world import RealWorld
    from policy.world import Unanswered

    world = RealWorld({})
    try:
        return world.resolve(world.repository(cwd, {}), "HEAD") or ""
    except Unanswered:
        return ""


def _read(path: str) -> Pending | None:
    try:
        kind, *values = marshal.loads(private.content(path, BIGGEST) or b"")  # noqa: S302  -- ours alone
        return Pending(*values) if kind == FORMAT else None
    except (ValueError, TypeError, EOFError):
        return None


def _sweep(where: str) -> None:
    for name in posix.listdir(where):
        try:
            if not 0 <= time.time() - posix.lstat(f"{where}/{name}").st_mtime <= grants.SECONDS:
                posix.unlink(f"{where}/{name}")
        except OSError:
            continue


def _random(count: int) -> bytes:
    opened = posix.open("/dev/urandom", posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return posix.read(opened, count)
    finally:
        posix.close(opened)
