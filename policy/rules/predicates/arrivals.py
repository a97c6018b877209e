"""Under which names things arrive in a directory that something is copied or moved into."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import Effect, Invocation, Reading
    from policy.world import World

COPIERS = ("cp", "mv", "rsync", "scp", "install", "ln")
ELSEWHERE = ("--relative", "-R", "--parents", "--files-from")
"""Options by which a source arrives under more than its last name."""


def arrivals(invocation: Invocation, effect: Effect) -> tuple[str, ...] | None:
    """The last names of what is copied, moved or linked into the effect's path; None where contents arrive, or where it is not known.

    A name with wildcards is a pattern; a shell's `*` at its beginning leaves out what begins with a dot.
    """
    operands = invocation.operands
    if invocation.program not in COPIERS or invocation.unknown or invocation.has(*ELSEWHERE):
        return None
    sources = operands[:-1] if operands and operands[-1] == effect.value else operands
    names = []
    for source in sources:
        text = source.text
        if not text or (invocation.program == "rsync" and text.endswith(("/", ":"))):
            return None
        name = text.rstrip("/").rpartition("/")[2].rpartition(":")[2]
        if name in ("", ".", "..", "~"):
            return None
        names.append("[!.]*" + name.lstrip("*") if source.glob and name.startswith("*") else name)
    return tuple(names) if names else None


def arriving(invocation: Invocation, world: World, reading: Reading) -> Iterator[Effect]:
    """The command's effects; those of what goes into a directory (one that the request makes, too) under the names that it has there."""
    for effect in invocation.effects:
        into = effect.path is not None and effect.kind in ("move-to", "write", "link") and not effect.glob
        names = arrivals(invocation, effect) if into and _is_directory(effect, world, reading) else None
        for name in names or (None,):
            yield effect if name is None else effect.replace(path=f"{(effect.path or '').rstrip('/')}/{name}")


def _is_directory(effect: Effect, world: World, reading: Reading) -> bool:
    text = (effect.value.text or "") if effect.value is not None else ""
    if text.endswith("/") or effect.source == "--target-directory" or world.path(effect.path or "").kind == "directory":
        return True
    made = (made for one in reading.invocations if one.program == "mkdir" for made in one.effects)
    return any(one.path == effect.path for one in made)
