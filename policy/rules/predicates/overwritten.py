"""Which files with uncommitted changes are replaced by what is copied or moved into a folder."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, FactResult
from policy.rules.glob import expands_to
from policy.rules.predicates.places import below
from policy.world import EDITED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.model import Effect, Invocation, Reading, Value
    from policy.rules.fact import Question
    from policy.world import World

LONGEST = 1 << 20
"""Files up to this many bytes are compared: one that is replaced by its like loses nothing."""


def overwrites_edits(invocation: Invocation, world: World, question: Question, _reading: Reading) -> FactResult:
    """Changed files that go, by "swept" sources (whole folders, patterns) or by "named" ones (a file each).

    A source that is not known before it runs says nothing.
    """
    kept: list[Effect] = []
    names: dict[str, None] = {}
    for effect in question.matched:
        if not effect.path or effect.glob or world.path(effect.path).kind != "directory":
            continue
        root, found = _replaced(invocation, effect, world, swept=question.value == "swept")
        if found:
            kept += [effect] if question.value == "swept" else [effect.replace(path=f"{root}/{name}") for name in found]
            names.update(dict.fromkeys(found))
    if not names:
        return NO
    note = f"{len(names)} file{'s' * (len(names) > 1)} with uncommitted changes"
    return FactResult(True, tuple(names), len(names), note, tuple(kept))


def _replaced(invocation: Invocation, effect: Effect, world: World, *, swept: bool) -> tuple[str, list[str]]:
    """The repository's root, and the files below it."""
    target = world.path(effect.path or "").real or effect.path or ""
    repository = world.repository(target, {})
    if not repository.root:
        return "", []
    status = world.status(repository)
    changed = [f"{repository.root}/{name}" for key in EDITED for name in getattr(status, key)]
    changed = [path for path in changed if below(path, target)]
    found: dict[str, None] = {}
    if changed:
        deep = effect.recursive or invocation.program == "mv"
        for source, place, broad in _arriving(invocation, effect, target, changed):
            for path in changed:
                if path != place and not (deep and below(path, place)):
                    continue
                arrives = source + path[len(place) :]
                if arrives != path and (broad or path != place) is swept and _differs(arrives, path, world):
                    found[path[len(repository.root) + 1 :]] = None
    return repository.root, list(found)


def _arriving(
    invocation: Invocation, effect: Effect, target: str, changed: Sequence[str]
) -> Iterator[tuple[str, str, bool]]:
    """Each source that could concern a changed file, the path that it comes to stand at, and whether a pattern or `/.` meant it."""
    names = dict.fromkeys(path[len(target) + 1 :].partition("/")[0] for path in changed)
    operands = invocation.operands
    for value in operands[:-1] if operands and operands[-1] == effect.value else operands:
        text = value.text or ""
        path = absolute(text, invocation.cwd)
        if path is None:
            continue
        if value.glob:
            folder, _, last = path.rpartition("/")
            yield from ((f"{folder}/{name}", f"{target}/{name}", True) for name in names if expands_to(name, last))
        elif _contents(invocation, value):
            yield path, target, True
        else:
            yield path, f"{target}/{path.rpartition('/')[2]}", False


def _contents(invocation: Invocation, value: Value) -> bool:
    """Whether what is in the source arrives, and not the source itself."""
    text = value.text or ""
    if invocation.program == "rsync":
        return text.endswith(("/", "/.")) or text == "."
    return text == "." or text.endswith("/.") or invocation.has("--no-target-directory")


def _differs(source: str, path: str, world: World) -> bool:
    """Whether a file stands at `source` and is not, byte for byte, the one at `path`."""
    if world.path(source).kind != "file":
        return False
    new, old = world.read_text(source, LONGEST), world.read_text(path, LONGEST)
    return new is None or old is None or new != old
