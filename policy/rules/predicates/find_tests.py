"""Which files find picks out by its tests, as far as that can be told without looking at each of them."""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.rules.fact import NO, FactResult
from policy.rules.glob import matches
from policy.rules.predicates.places import at_or_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy.model import Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

PATHS = frozenset({"-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"})
AGES = frozenset({"-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin"})
RARE = frozenset({"-empty", "-samefile", "-inum", "-lname"})
ALMOST_ALL = frozenset({"-newer", "-newermt", "-anewer", "-cnewer", "-size", "-user", "-group", "-perm", "-links"})
NAMES = frozenset({"-name", "-iname"})
TYPES, LINKS = ("-type", "-xtype"), ("l", "p", "s")
"""A test on the kind picks out something where it asks for links (`-xtype l`: those that lead nowhere), pipes or sockets."""
FIND_TESTS = PATHS | AGES | RARE | ALMOST_ALL | NAMES


def filtered_delete(invocation: Invocation, _world: World, question: Question, reading: Reading) -> FactResult:
    """`find` deletes only what passes a test on name, time, size or the like; what is only left out by one does not count."""
    return FactResult(any(True for _ in _tests(finder_of(invocation, question, reading))))


def blind_filter(invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """As `filtered_delete`, where the paths do not show by which names it picks, and by a test that leaves edited files alone.

    What is old, empty or large is seldom what was edited just now; what is new, or somebody's, is. Tests on paths are tried on the edited files.
    """
    if any(e.path is not None and "/**/" in e.path for e in question.matched):
        return NO
    finder = finder_of(invocation, question, reading)
    return FactResult(any(_spares(finder, test, value, world) for test, value in _tests(finder) if finder is not None))


def finder_of(invocation: Invocation, question: Question, reading: Reading) -> Invocation | None:
    """The `find` that chooses what this command deletes: itself, or the one that starts it; None where there is none."""
    if invocation.program == "find":
        return invocation
    earlier = reversed(reading.invocations[: question.position])
    return next((i for i in earlier if i.program == "find"), None) if "find" in invocation.launched_by else None


def _tests(finder: Invocation | None) -> Iterator[tuple[str, str]]:
    """The tests that something must pass, with their values."""
    texts = [v.text or "" for v in finder.words] if finder is not None else []
    for before, text, after in zip(["", *texts], texts, [*texts[1:], ""], strict=False):
        special = text in TYPES and after in LINKS
        if (text in FIND_TESTS or special) and before not in ("!", "-not"):
            yield text, after


def _spares(finder: Invocation, test: str, value: str, world: World) -> bool:
    if test in AGES:
        return value.startswith("+")
    if test == "-size":
        return value.startswith("0") or (value.startswith("+") and value.rstrip("cwbkMG") != "+0")
    if test in PATHS:
        return not any(_on_path(test, shown, value) for shown in _edited(finder, world))
    return test in RARE or test in NAMES or test in TYPES


def _on_path(test: str, shown: str, pattern: str) -> bool:
    """Whether a path passes; of a regular expression only the plain end is read."""
    if "regex" not in test:
        return matches(shown.casefold(), pattern.casefold())
    end = pattern.rstrip("$").replace("\\", "").rpartition("*")[2]
    return any(sign in end for sign in "()[]+?|") or shown.casefold().endswith(end.casefold())


def _edited(finder: Invocation, world: World) -> Iterator[str]:
    """The edited files as find would print them."""
    repository = world.repository(finder.cwd or "/", {})
    if not repository.root or finder.cwd is None:
        return
    status = world.status(repository)
    for name in (*status.modified, *status.staged, *status.staged_and_modified, *status.unmerged):
        path = f"{repository.root.rstrip('/')}/{name}"
        for start in [v.text or "" for v in finder.operands] or ["."]:
            top = absolute(start, finder.cwd)
            if top is not None and at_or_below(path, top):
                yield start.rstrip("/") + path[len(top.rstrip("/")) :]
