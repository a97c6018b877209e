"""What the project around a command looks like."""

from __future__ import annotations

from policy.rules.fact import NO, FactResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

HIGHEST = 40


def ancestors(cwd: str | None) -> list[str]:
    """The directory and those above it, up to 40, "/" left out."""
    found: list[str] = []
    at = (cwd or "").rstrip("/")
    while at and len(found) < HIGHEST:
        found.append(at)
        at = at.rpartition("/")[0]
    return found


def nearest(world: World, cwd: str | None, names: tuple[str, ...], stop: str | None) -> str | None:
    """The nearest file of one of the names at or above a directory, not above a repository's top or at a home."""
    for folder in ancestors(cwd):
        if folder == stop:
            return None
        for name in names:
            if world.path(f"{folder}/{name}").kind == "file":
                return f"{folder}/{name}"
        if world.path(f"{folder}/.git").kind != "missing" or world.path(f"{folder}/.jj").kind != "missing":
            return None
    return None


def project_has(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """One of the files stands in this directory or above it, within the repository."""
    found = nearest(world, invocation.cwd, question.value, question.request.home)
    return NO if found is None else FactResult(True, (found,), 1)
