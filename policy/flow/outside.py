"""What the flow asks of the world. Where the world does not answer in time, the thing is simply not known here."""

from __future__ import annotations

from policy.world import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.walk import Walk


def text(walk: Walk, path: str, limit: int) -> str | None:
    """A file's text, None when it cannot be had."""
    if path == "/dev/null":
        return ""
    try:
        return walk.world.read_text(path, limit)
    except Unanswered:
        return None


def names(walk: Walk, path: str, limit: int) -> tuple[str, ...]:
    """Names in a directory, () when they cannot be had."""
    try:
        return walk.world.listdir(path, limit)
    except Unanswered:
        return ()


def is_directory(walk: Walk, path: str) -> bool:
    """Whether a directory, or a link to one, is known to stand there."""
    try:
        facts = walk.world.path(path)
        return facts.kind == "directory" or (facts.kind == "link" and walk.world.path(facts.real).kind == "directory")
    except Unanswered:
        return False


def is_missing(walk: Walk, path: str) -> bool:
    """Whether nothing is known to stand there."""
    try:
        return walk.world.path(path).kind == "missing"
    except Unanswered:
        return False


def root(walk: Walk, path: str) -> str:
    """The top of the working tree around a directory, "" when there is none or it cannot be told."""
    try:
        return walk.world.repository(path, walk.environment).root
    except Unanswered:
        return ""


def alias(walk: Walk, name: str, path: str) -> str | None:
    """An alias of git in the repository around a directory."""
    try:
        repository = walk.world.repository(path, walk.environment)
        return walk.world.config(repository, "alias." + name)
    except Unanswered:
        return None


def branch(walk: Walk, path: str) -> str:
    """The branch that is checked out around a directory, "" when there is none or it cannot be told."""
    try:
        return walk.world.branch(walk.world.repository(path, walk.environment)) or ""
    except Unanswered:
        return ""


def commit(walk: Walk, path: str, revision: str) -> str:
    """The object id that a revision names in the repository around a directory, "" when it cannot be told."""
    try:
        return walk.world.resolve(walk.world.repository(path, walk.environment), revision) or ""
    except Unanswered:
        return ""
