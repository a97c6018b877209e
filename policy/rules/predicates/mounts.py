"""Folders of this machine that a container may write to."""

from __future__ import annotations

from policy.model import Effect
from policy.rules.fact import NO, FactResult
from policy.rules.predicates.places import Place, at_or_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

ENGINES = ("/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock")
HOST_ROOT_IS_FINE = (
    "/etc/localtime",
    "/etc/timezone",
    "/etc/ssl",
    "/etc/ca-certificates",
    "/usr/share/zoneinfo",
    "/usr/share/ca-certificates",
)


def of(invocation: Invocation) -> list[tuple[str, str]]:
    """(folder here, folder in the container) of every mount that may be written to."""
    found = []
    for option in invocation.options:
        text = option.value.text if option.value is not None else None
        if text is None:
            continue
        if option.name == "--volume":
            here, _, rest = text.partition(":")
            there, _, mode = rest.partition(":")
            if rest and "ro" not in mode.split(","):
                found.append((here, there))
        elif option.name == "--mount":
            parts = dict(part.partition("=")[::2] for part in text.split(","))
            if parts.get("type", "volume") == "bind" and not {"readonly", "ro"} & parts.keys():
                found.append(
                    (
                        parts.get("source", parts.get("src", "")),
                        parts.get("target", parts.get("dst", parts.get("destination", ""))),
                    )
                )
    return [
        (here.rstrip("/") or "/", there.rstrip("/") or "/") for here, there in found if here.startswith(("/", ".", "~"))
    ]


def _absolute(path: str, invocation: Invocation, question: Question) -> str | None:
    from policy.programs.paths import absolute

    if path.startswith("~"):
        return (question.request.home or "/~") + path[1:]
    return path if path.startswith("/") else absolute(path, invocation.cwd)


def mounts(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A folder of one of these path classes (or "engine", the container engine's socket) is mounted writable."""
    for here, _ in of(invocation):
        path = _absolute(here, invocation, question)
        if path is None or any(at_or_below(path, fine) for fine in HOST_ROOT_IS_FINE):
            continue
        if path in ENGINES:
            if "engine" in question.value:
                return FactResult(True, (path,), 1)
            continue
        place = Place(
            Effect("write", path, recursive=True, within=True), invocation.replace(place="local"), world, question
        )
        if any(place.belongs(name) for name in question.value if name != "engine"):
            return FactResult(True, (path,), 1)
    return NO


def deletes_mounted(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """In a container, deletes below a mounted folder that here is of one of these path classes."""
    engine = next(
        (
            i
            for i in reversed(reading.invocations[: question.position])
            if i.program in invocation.launched_by and of(i)
        ),
        None,
    )
    if engine is None:
        return NO
    for effect in question.matched:
        for here, there in of(engine):
            if effect.path and at_or_below(effect.path, there):
                path = (_absolute(here, engine, question) or "") + effect.path[len(there) :].rstrip("/")
                place = Place(effect.replace(path=path, value=None), engine.replace(place="local"), world, question)
                if any(place.belongs(name) for name in question.value):
                    return FactResult(True, (path,), 1)
    return NO
