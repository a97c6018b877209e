"""Whether a managed host can be reached: asked of memory first, then of the host, then of a person; one question for all who wait.

STATE/reach.json holds, for the network that we are on, when a host last answered and whether a person declined it. A changed network
forgets everything. What is not well formed counts as not there.
"""

from __future__ import annotations

import fcntl
import posix
import time

from guards.digest import sha256
from guards.shim import ask, files
from guards.shim.call import Call, Refused
from guards.wire import Malformed, decode, encode
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from guards.shim.sshline import Endpoint

ANSWERED, SILENT, DECLINED = "answered", "silent", "declined"
LASTS = {ANSWERED: 300.0, SILENT: 0.0, DECLINED: 3600.0}
"""Seconds that a word about a host is good for; configuration may change them per host. SILENT is only for those who waited for it."""

AUTHENTICATION = (
    "Permission denied",
    "Host key verification failed",
    "REMOTE HOST IDENTIFICATION HAS CHANGED",
    "Too many authentication failures",
)
"""A host that says one of these has answered; the command itself may say the rest."""


class Host(Record):
    """One managed host: the name it goes by in memory, how to probe it, and what its table in the configuration says."""

    name: str
    probe: tuple[str, ...]
    table: dict[str, Any]
    endpoint: Endpoint

    def seconds(self, key: str, default: float) -> float:
        """A number of seconds from the table."""
        found = self.table.get(key, default)
        return float(found) if isinstance(found, int | float) and found >= 0 else default


Question = "Callable[[Host], bool | None]"


def check(call: Call, host: Host, question: Callable[[Host], bool | None]) -> None:
    """Return when a command may try the host. `question` asks a person: True, False, or None when nobody can be asked. Raises Refused."""
    came = time.time()
    state = remembered(call, host)
    if state == ANSWERED:
        return
    if state == DECLINED:
        raise unreachable(host, "a person declined to try it again")
    with _Waiting(call, host):
        fresh = _record(call, host)
        if fresh is not None and fresh[1] >= came:  # somebody asked while we waited
            state = fresh[0]
        elif probed(call, host):
            state = ANSWERED
        else:
            said = question(host)
            state = {True: ANSWERED, False: DECLINED, None: SILENT}[said]
        if fresh is None or fresh[1] < came:
            remember(call, host, state)
    if state != ANSWERED:
        raise unreachable(
            host,
            "a person declined to try it again"
            if state == DECLINED
            else "it does not answer, and nobody can be asked from here",
        )


def unreachable(host: Host, why: str) -> Refused:
    """The refusal, worded so that nobody tries other options or pings."""
    return Refused(
        f"gatepost: refused: {host.name!r} cannot be reached from this network: {why}. Other ssh options, ping or another tool will not help until the "
        "network or the host changes; go on with work that does not need it, and tell the person. [remote/unreachable]"
    )


def probed(call: Call, host: Host) -> bool:
    """Whether the host answers. Nothing is read from our stdin, no new host key is accepted, nothing is forwarded or kept."""
    try:
        answer = ask.run(host.probe, call.environment)
    except OSError:
        return False
    return answer.status == 0 or any(text in answer.errors for text in AUTHENTICATION)


def probe_of(ssh: str, how: tuple[str, ...], endpoint: Endpoint, seconds: float) -> tuple[str, ...]:
    """The ssh command that only asks whether a host is there, by the way that the user's own command goes."""
    options = (
        "BatchMode=yes", f"ConnectTimeout={max(1, int(seconds))}", "StrictHostKeyChecking=yes", "UpdateHostKeys=no", "ControlMaster=no", "ClearAllForwardings=yes",
        "PermitLocalCommand=no", "RemoteCommand=none", "RequestTTY=no", "ForwardAgent=no", "ForwardX11=no", "ConnectionAttempts=1",
    )  # fmt: skip
    way = [*how]
    way += [f"-l{endpoint.user}"] if endpoint.user and not any(word.startswith("-l") for word in how) else []
    way += [f"-p{endpoint.port}"] if endpoint.port else []
    return (
        ssh,
        *(word for option in options for word in ("-o", option)),
        *way,
        "-n",
        "-T",
        "--",
        endpoint.host,
        "exit 0",
    )


def remembered(call: Call, host: Host) -> str:
    """What is known of a host without asking it; "" when nothing that still holds."""
    found = _record(call, host)
    if found is None:
        return ""
    lasts = host.seconds({ANSWERED: "remember", DECLINED: "declined"}.get(found[0], ""), LASTS[found[0]])
    return found[0] if 0 <= time.time() - found[1] < lasts else ""


def remember(call: Call, host: Host, state: str) -> None:
    """Note what became of a host; a full disk changes nothing for the command."""
    path = call.layout.state + "/reach.json"
    try:
        files.folder(call.layout.state)
        with _lock(path + ".lock"):
            hosts = _load(call)
            hosts[host.name] = [state, time.time()]
            files.put(path, encode({"network": network(), "hosts": hosts}).encode("ascii"))
    except OSError:
        return


def _record(call: Call, host: Host) -> tuple[str, float] | None:
    found = _load(call).get(host.name)
    if isinstance(found, list) and len(found) == 2 and found[0] in LASTS and isinstance(found[1], int | float):
        return found[0], float(found[1])
    return None


def _load(call: Call) -> dict[str, Any]:
    data = files.get(call.layout.state + "/reach.json")
    try:
        found = decode((data or b"").decode("utf-8"))
    except (Malformed, UnicodeDecodeError):
        return {}
    if not isinstance(found, dict) or found.get("network") != network() or not isinstance(found.get("hosts"), dict):
        return {}
    return dict(found["hosts"])


def network() -> str:
    """A mark of the network that we are on: the routes' interfaces and gateways. "" where the kernel does not tell."""
    rows = [row.split()[:3] for table in ("/proc/net/route", "/proc/net/ipv6_route") for row in _rows(table)]
    text = "\n".join(sorted(" ".join(row) for row in rows))
    mark: str = sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return mark


def _rows(path: str) -> Iterator[str]:
    """Lines of a routing table; files below /proc have no size."""
    try:
        opened = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return
    data = b""
    while part := posix.read(opened, 65536):
        data += part
    posix.close(opened)
    default = ("00000000", "00000000000000000000000000000000")
    yield from (
        row for row in data.decode("ascii", "replace").splitlines() if any(text in row.split()[:2] for text in default)
    )


class _lock:  # noqa: N801
    """An exclusive lock on a file, released by the kernel however we end."""

    def __init__(self, path: str) -> None:
        self.opened = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC, 0o600)

    def __enter__(self) -> None:
        fcntl.flock(self.opened, fcntl.LOCK_EX)

    def __exit__(self, *_error: object) -> None:
        posix.close(self.opened)


class _Waiting:
    """One caller at a time asks about a host; the others wait for its answer. Without a place for locks each asks for itself."""

    def __init__(self, call: Call, host: Host) -> None:
        self.held: _lock | None = None
        name = sha256(host.name.encode("utf-8", "surrogateescape")).hexdigest()[:24]
        try:
            files.folder(call.layout.state + "/reach")
            self.held = _lock(f"{call.layout.state}/reach/{name}")
        except OSError:
            self.held = None

    def __enter__(self) -> None:
        if self.held:
            self.held.__enter__()

    def __exit__(self, *error: object) -> None:
        if self.held:
            self.held.__exit__(*error)
