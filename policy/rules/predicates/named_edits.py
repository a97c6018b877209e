"""Whether the words of a program without a grammar name files with uncommitted changes."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, FactResult
from policy.rules.predicates.places import at_or_below
from policy.world import EDITED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World


def names_edits(invocation: Invocation, world: World, _question: Question, _reading: Reading) -> FactResult:
    """One of the words is such a file or a folder above one; not known where a word is not."""
    if invocation.cwd is None:
        return FactResult(None)
    repository = world.repository(invocation.cwd, {})
    if not repository.root:
        return NO
    status = world.status(repository, untracked=False, ignored=False)
    edited = sorted({name for key in EDITED for name in getattr(status, key)})
    hits: list[str] = []
    unknown = False
    for value in invocation.words[1:]:
        path = absolute(value.text.partition("*")[0].rstrip("/") or ".", invocation.cwd) if value.text else None
        unknown = unknown or path is None
        if path is not None and value.text is not None and value.text[:1] != "-":
            hits += [name for name in edited if at_or_below(f"{repository.root}/{name}", path)]
    return FactResult(True, tuple(hits), len(hits)) if hits else FactResult(None if unknown and edited else False)
