"""The register of live agent sessions, RUNTIME/sessions: one small file each, named by a hash, gone when its process is.

`gatepost run` enters a session before it becomes the agent; a hook may enter the agent that called it. Who reads it looks whether the
process still lives, so nothing has to be signed off. Free of imports that cost: rules ask it on the hot path.
"""

from __future__ import annotations

import posix
import time

from guards import kin, private
from guards.digest import sha256
from guards.wire import Malformed, decode, encode
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from guards.layout import Layout

BIGGEST = 16384


class Session(Record):
    """A live session. `mark` names its agent's process (guards.kin), `terminal` is where its person can be asked, "" for nowhere."""

    id: str
    name: str
    mark: str
    directory: str
    started: float
    command: tuple[str, ...] = ()
    terminal: str = ""

    @property
    def pid(self) -> int:
        """The agent's process."""
        return int(self.mark.partition(":")[0])


def enter(layout: Layout, session: Session) -> bool:
    """Put a session into the register, or renew its entry. False when that cannot be done."""
    where = _folder(layout)
    if where is None:
        return False
    path = f"{where}/{_file(session.id)}"
    beside = f"{path}.{posix.getpid()}.new"
    try:
        opened = posix.open(
            beside, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600
        )
        try:
            posix.write(opened, encode(session.as_dict()).encode("ascii"))
        finally:
            posix.close(opened)
        posix.rename(beside, path)
    except OSError:
        return False
    return True


def live(layout: Layout) -> list[Session]:
    """The sessions whose process lives, oldest first; entries of the others are removed."""
    where = _folder(layout)
    if where is None:
        return []
    found = []
    for name in sorted(posix.listdir(where)):
        session = _read(f"{where}/{name}")
        if session is not None and alive(session.mark):
            found.append(session)
        elif not name.endswith(".new"):
            try:
                posix.unlink(f"{where}/{name}")
            except OSError:
                continue
    return sorted(found, key=lambda session: session.started)


def find(layout: Layout, identity: str) -> Session | None:
    """The live session of that id."""
    where = _folder(layout)
    session = _read(f"{where}/{_file(identity)}") if where is not None and identity else None
    return session if session is not None and alive(session.mark) else None


def others(layout: Layout, environment: Mapping[str, str]) -> Callable[[str], int]:
    """A counter for policy.world: how many live sessions but ours work in or below a directory (where they started, or stand now)."""
    from guards.session import current

    own = current(environment)

    def count(root: str) -> int:
        rest = [session for session in live(layout) if session.id != own and not kin.descends_from(session.mark)]
        return sum(any(_within(place, root) for place in (session.directory, _stands(session.pid))) for session in rest)

    return count


def note(layout: Layout, identity: str, directory: str) -> bool:
    """Enter the agent that called this hook under the session id of its payload, unless it is known already."""
    if find(layout, identity) is not None:
        return True
    mark = kin.agent()
    return bool(mark) and enter(layout, Session(identity, "", mark, directory, time.time()))


def alive(mark: str) -> bool:
    """Whether the process with this mark lives and is no zombie that nobody has waited for."""
    pid, _, start = mark.partition(":")
    found = kin.stat(int(pid)) if pid.isdigit() else None
    return found is not None and found[2] == start


def _within(place: str, root: str) -> bool:
    return place == root or place.startswith(root.rstrip("/") + "/")


def _stands(pid: int) -> str:
    try:
        return posix.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def _read(path: str) -> Session | None:
    try:
        return _session(decode((private.content(path, BIGGEST) or b"").decode("ascii")))
    except (Malformed, UnicodeDecodeError, TypeError, KeyError):
        return None


def _session(found: dict[str, Any]) -> Session | None:
    texts = {name: str(found[name]) for name in ("id", "name", "mark", "directory", "terminal")}
    if not isinstance(found["started"], int | float):
        return None
    return Session(started=float(found["started"]), command=tuple(str(word) for word in found["command"]), **texts)


def _file(identity: str) -> str:
    name: str = sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return name


def _folder(layout: Layout) -> str | None:
    from guards.grants import folder

    return folder(layout, "sessions")
