"""Where scp, rsync and the like read from and write to."""

from __future__ import annotations

from policy.model import Effect
from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches
from policy.rules.predicates import well_known as known
from policy.rules.predicates.places import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

UPLOADS = (
    "--data",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--form",
    "--upload-file",
    "--post-file",
    "--body-file",
)


BUCKETS = frozenset({"aws", "gsutil", "gcloud", "s3cmd", "s5cmd"})
"""Programs that copy into a store, whose address stands behind what is copied."""


def remote_part(text: str) -> tuple[str, str] | None:
    """(host, path) of `host:path`, `user@host:path`, `host::module/path`, `rsync://host/path`; None for a local path."""
    for scheme in ("rsync://", "sftp://", "ssh://", "scp://"):
        if text.startswith(scheme):
            host, _, path = text[len(scheme) :].partition("/")
            return host, "/" + path
    host, colon, path = text.partition(":")
    if not colon or "/" in host or not host:
        return None
    return host.rpartition("@")[2], path.removeprefix(":") or "~"


def _target(invocation: Invocation) -> str | None:
    operands = invocation.operands
    return operands[-1].text if len(operands) > 1 else None


def sync_target(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """The last operand is one of: root, home, system (there or here), remote (any other machine), outside (here)."""
    target = _target(invocation)
    if target is None:
        return FactResult(None) if invocation.operands and invocation.operands[-1].text is None else NO
    there = remote_part(target)
    if there is not None:
        held = "remote" in question.value or any(_remote_class(there[1]) == name for name in question.value)
        return FactResult(held, (target,), 1)
    classes = [name for name in question.value if name != "remote"]
    effect = Effect("write", _absolute(target, invocation))
    place = Place(effect, invocation, world, question)
    return FactResult(effect.path is not None and any(place.belongs(name) for name in classes), (target,), 1)


def _remote_class(path: str) -> str:
    bare = "/" + path.strip("/") if path.startswith("/") else path.rstrip("/")
    if bare in ("~", "", ".") or bare in known.ROOT_HOMES or (bare.rpartition("/")[0] in known.HOMES):
        return "home"
    if bare == "/":
        return "root"
    top = "/" + bare[1:].partition("/")[0]
    return (
        "system"
        if top in known.SYSTEM and (bare == top or top in ("/etc", "/usr", "/bin", "/boot", "/lib", "/sbin"))
        else ""
    )


def _absolute(path: str, invocation: Invocation) -> str | None:
    if path.startswith("/"):
        return path.rstrip("/") or "/"
    from policy.programs.paths import absolute

    return absolute(path, invocation.cwd) if invocation.cwd else None


def copy_target(invocation: Invocation, _world: World, question: Question, _reading: Reading) -> FactResult:
    """The last operand is on another machine and its path there fits one of the patterns."""
    there = remote_part(_target(invocation) or "")
    if there is None:
        return NO
    return FactResult(any(matches(there[1].removeprefix("~/"), pattern) for pattern in question.value), (there[1],), 1)


def sends_secret(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """A key or a file of secrets is among what is sent to another machine."""
    for path in _sent(invocation):
        absolute = _absolute(path, invocation)
        if absolute is None:
            continue
        place = Place(Effect("read", absolute), invocation, world, question)
        if place.belongs("credential") or place.belongs("secret"):
            return FactResult(True, (path,), 1)
    return NO


def _sent(invocation: Invocation) -> list[str]:
    if invocation.program in ("scp", "rsync", "sftp", "rclone"):
        if remote_part(_target(invocation) or "") is None:
            return []
        return [v.text for v in invocation.operands[:-1] if v.text and remote_part(v.text) is None]
    if invocation.program == "gh":
        return [v.text for v in invocation.operands if v.text]
    if invocation.program in BUCKETS:
        named = [v.text for v in invocation.words[1:] if v.text]
        local = [
            at for at, text in enumerate(named) if "://" not in text and at + 1 < len(named) and "://" in named[at + 1]
        ]
        return [named[at] for at in local]
    files = []
    for option in invocation.options:
        text = option.value.text if option.value is not None else None
        if option.name in UPLOADS and text:
            if option.name in ("--upload-file", "--post-file", "--body-file"):
                files.append(text)
            elif "@" in text:
                files.append(text.rpartition("@")[2].partition(";")[0])
    return files


def piped_secret(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """What is fed to it comes from a key or a file of secrets."""
    from policy.rules.predicates.surroundings import pipeline

    readers = (e for i in pipeline(reading, invocation, after=False) for e in i.effects)
    for effect in (*readers, *invocation.redirects):
        if effect.kind == "read" and effect.path:
            place = Place(effect, invocation, world, question)
            if place.belongs("credential") or place.belongs("secret"):
                return FactResult(True, (effect.path,), 1)
    return NO
