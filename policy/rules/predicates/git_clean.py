"""What `git clean` and `git sparse-checkout` remove."""

from __future__ import annotations

from policy.rules.glob import matches
from policy.rules.predicates.git_lost import NOTHING, Loss
from policy.rules.predicates.git_paths import Spec
from policy.rules.predicates.git_place import is_set, parts
from policy.rules.predicates.well_known import CACHE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Invocation
    from policy.rules.predicates.git_state import Case, State


def forced(invocation: Invocation) -> int:
    """How many times --force is in force."""
    times = 0
    for option in invocation.options:
        if option.name == "--force":
            times = 0 if option.negated else times + 1
    return times


def clean(case: Case) -> Loss:
    given = case.invocation
    times = forced(given)
    if given.has("--interactive"):
        if given.stdin is None and not given.piped_from:
            return NOTHING
        times = times or 1  # what is fed to it answers its questions
    if not times and is_set(given, case.world, case.place().repository, "clean.requireforce", default=True):
        return NOTHING
    hidden = given.has("-x", "-X")
    here = case.state(untracked=True, ignored=hidden)
    if here.dead:
        return NOTHING
    before, behind = parts(given)
    operands = (*before, *(behind or ()))
    wanted = Spec(operands, here.place.prefix, here.repository.root)
    kept = [option.value.text for option in given.options if option.name == "--exclude" and option.value is not None]
    found = set() if given.has("-X") else set(here.untracked)
    if hidden:
        found |= {path for path in here.ignored if not cache(path)}
    deep = given.has("-d") or bool(operands)
    found = {
        path
        for path in found
        if (operands or path.startswith(here.place.prefix)) and reached(path, here, case, deep=deep, times=times)
    }
    gone = wanted.of(found)
    if given.has(
        "-X"
    ):  # measured, git 2.39 and 2.55: an ignored folder goes whole for a single file below it, or a pattern that could fit one
        gone |= {path for path in found if path.endswith("/") and wanted.may_reach(path)}
    return Loss(worktree=frozenset(path for path in gone if not spared(path, kept)), unsure=not wanted.sure)


def reached(path: str, here: State, case: Case, *, deep: bool, times: int) -> bool:
    """Whether clean comes to a path: into directories without tracked files only with -d, a repository only with -ff."""
    if path.endswith("/") and path in here.untracked:
        return deep and times > 1
    if deep:
        return True
    if path.endswith("/"):
        return False
    folder = path.rpartition("/")[0]
    return not folder or any(name.startswith(folder + "/") for name in case.world.tracked(here.repository))


def spared(path: str, patterns: list[str | None]) -> bool:
    """Whether an -e pattern keeps a path: one with a slash is matched from the top, others at any depth."""
    for pattern in patterns:
        if pattern is None:
            return True
        bare = pattern.strip("/")
        names = [path.rstrip("/")] if "/" in bare else path.rstrip("/").split("/")
        if any(matches(name, bare) for name in names):
            return True
    return False


def sparse(case: Case) -> Loss:
    """A cone that shrinks deletes the ignored files in the directories that leave it."""
    given = case.invocation
    cone = given.option("--cone", "--no-cone")
    if cone is not None and (cone.negated or cone.name == "--no-cone"):
        return NOTHING
    if given.subcommand == "sparse-checkout init" and cone is None:
        return NOTHING
    inside = tuple(value.text.strip("/") + "/" for value in given.operands if value.text)
    here = case.state(ignored=True)
    found = {path for path in here.ignored if "/" in path.rstrip("/") and not (inside and path.startswith(inside))}
    return Loss(worktree=frozenset(path for path in found if not cache(path)))


def cache(path: str) -> bool:
    """Whether a path is build output that its tools make again."""
    return any(part in CACHE for part in path.rstrip("/").split("/"))
