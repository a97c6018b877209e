"""Work that an earlier command of the request has put elsewhere: a patch of it that `git diff` wrote, or a copy."""

from __future__ import annotations

from policy.rules.predicates.git_paths import Spec, normal
from policy.rules.predicates.git_place import parts
from policy.rules.predicates.places import at_or_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy.model import Effect, Invocation, Reading
    from policy.rules.predicates.git_place import Place
    from policy.rules.predicates.git_state import State

WHOLE = frozenset(
    {
        "--binary",
        "--full-index",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--unified",
        "--cached",
        "--output",
        "--no-renames",
    }
)
"""Options of git diff with which its output is still a patch of all that it speaks of."""
PARTLY = ("--no-clobber", "--update", "--interactive", "--attributes-only", "--symbolic-link", "--link")
FILES, LONGEST, SNIFFED = 50, 4_000_000, 8000
"""How many files, and of what length, are looked at for bytes that only `--binary` would save; git itself looks at the first 8000."""


def patch(found: State, one: Invocation, at: Place, reading: Reading) -> None:
    """`git diff > FILE`, with HEAD or --cached, for all or some paths."""
    if not _kept(
        [effect for effect in (*one.effects, *one.redirects) if effect.kind in ("write", "append")], one, reading
    ):
        return
    if any(option.name not in WHOLE or option.negated for option in one.options):
        return
    before, behind = parts(one)
    head = bool(before) and before[0].text == "HEAD"
    wanted = Spec((*before[head:], *(behind or ())), at.prefix, at.repository.root)
    if not wanted.sure:
        return
    cached = one.has("--cached")
    if cached and not head:
        names = wanted.of(found.staged - found.both)
    else:
        names = set() if cached else wanted.of(found.modified | ((found.staged - found.both) if head else set()))
    if not one.has("--binary"):
        names = set() if len(names) > FILES else {name for name in names if _is_text(found, name)}
    saved(found, names)


def copy(found: State, one: Invocation, reading: Reading) -> None:
    """`cp FILE COPY`: the files as they are now."""
    root = found.repository.root
    if one.has(*PARTLY) or one.unknown or not _kept([e for e in one.effects if e.kind == "write"], one, reading):
        return
    for effect in one.effects:
        if effect.kind != "read" or effect.path is None or effect.glob or not at_or_below(effect.path, root):
            continue
        path = normal(effect.path[len(root) :])
        below = path + "/" if path else ""
        names = found.everything()
        saved(found, {name for name in names if name == path or (effect.recursive and name.startswith(below))})


def saved(found: State, names: Iterable[str]) -> None:
    """What is on disk under these names is kept; a staged version that differs from it is not."""
    alike = set(names) - found.both
    found.drop(alike, "staged")
    found.drop(set(names), "modified", "both", "intent", "untracked")


def _kept(written: list[Effect], one: Invocation, reading: Reading) -> bool:
    """Whether what was written stays: named, no device, and neither deleted nor written by another command of the request."""
    paths = [
        effect.path for effect in written if effect.path and not effect.glob and not effect.path.startswith("/dev/")
    ]
    if not paths or len(paths) != len(written):
        return False
    others = (e for other in reading.invocations if other is not one for e in (*other.effects, *other.redirects))
    return not any(_hits(effect, path) for effect in others if effect.kind in ("delete", "write") for path in paths)


def _hits(effect: Effect, path: str) -> bool:
    if effect.path is None:
        return True
    if effect.glob:
        return path.startswith(effect.path.partition("*")[0])
    return at_or_below(path, effect.path)


def _is_text(found: State, name: str) -> bool:
    text = found.world.read_text(found.place.absolute(name), LONGEST)
    return text is not None and "\0" not in text[:SNIFFED]
