"""Repositories and working trees that an earlier command of the same request makes, where nothing could be lost, or moves."""

from __future__ import annotations

from policy.programs.paths import absolute, base
from policy.rules.predicates.git_order import joined
from policy.rules.predicates.places import at_or_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.model import Invocation, Reading
    from policy.rules.predicates.git_state import Case
    from policy.world import World

MAKERS = frozenset({"clone", "init", "worktree add"})
SHARED = frozenset(
    {
        "branch",
        "tag",
        "stash drop",
        "stash clear",
        "update-ref",
        "reflog expire",
        "reflog delete",
        "gc",
        "prune",
        "push",
    }
)
"""What works on names and objects, which a working tree shares with the repository that it was added to."""


def maker(invocation: Invocation, world: World, reading: Reading, earlier: Sequence[Invocation]) -> Invocation | None:
    """The command that made the place that this one works in, where it has surely succeeded and nothing was there before."""
    for at, one in enumerate(earlier):
        if one.program != "git" or one.subcommand not in MAKERS or one.place != "local" or "maybe" in one.marks:
            continue
        target = _target(one)
        if target is None or invocation.cwd is None or not at_or_below(invocation.cwd, target):
            continue
        facts = world.path(target)
        empty = facts.kind == "missing" or (facts.kind == "directory" and not world.listdir(target, 1))
        if empty and joined(one, invocation, reading) == "and" and not _moved_in(earlier[at:], target):
            return one
    return None


def before_moving(invocation: Invocation, world: World, earlier: Sequence[Invocation]) -> Invocation:
    """The command as if it ran where its working tree stands now, before `git worktree move` takes that elsewhere."""
    for one in reversed(earlier):
        if one.subcommand != "worktree move" or len(one.operands) != 2 or invocation.cwd is None:
            continue
        source, target = (absolute(value.text, one.cwd) if value.text else None for value in one.operands)
        if source is None or target is None:
            continue
        if world.path(target).kind == "directory":
            target += "/" + base(source)
        if at_or_below(invocation.cwd, target):
            invocation = invocation.replace(cwd=source + invocation.cwd[len(target) :])
    return invocation


def _target(one: Invocation) -> str | None:
    """The directory that it makes, None when that is not known."""
    operands = one.operands
    if (
        one.unknown
        or one.has("--bare", "--mirror", "--separate-git-dir")
        or any(v.text is None or v.glob for v in operands)
    ):
        return None
    named = {"clone": 1, "init": 0, "worktree add": 0}[one.subcommand]
    if len(operands) > named:
        return absolute(operands[named].text or "", one.cwd)
    if one.subcommand == "init":
        return one.cwd
    if one.subcommand == "clone" and operands:
        name = base((operands[0].text or "").rstrip("/").removesuffix("/.git")).rpartition(":")[2]
        return absolute(name.removesuffix(".git"), one.cwd) if name.strip(".") else None
    return None


def _moved_in(later: Sequence[Invocation], target: str) -> bool:
    """Whether something that stood elsewhere was moved there since."""
    return any(
        e.kind == "move-to" and (e.path is None or at_or_below(e.path, target)) for one in later for e in one.effects
    )


BRINGING = frozenset({"cp", "rsync", "tar", "unzip", "gh", "hub", "glab", "mv", "bsdtar", "jj"})
"""What may bring a repository with the remotes that it already had."""


def pushes_nowhere(case: Case, remote: str | None) -> bool:
    """Whether nothing that is there now can be pushed to: the repository is made by this request, and so are its remotes, or it has none."""
    cwd = case.invocation.cwd
    earlier = [one for one in case.reading.invocations[: case.question.position] if one.place == "local"]
    if cwd is None or case.invocation.place != "local" or case.place().repository.root:
        return False
    made = [one for one in earlier if one.program == "git" and one.subcommand in ("clone", "init")]
    targets = [target for one in made if (target := _target(one)) is not None and at_or_below(cwd, target)]
    if not targets or any(case.world.path(target).kind != "missing" for target in targets):
        return False
    if any(one.program in BRINGING for one in earlier):
        return False
    named = [(one.operands[0].text, one.cwd) for one in made if one.subcommand == "clone" and one.operands]
    named += [
        (one.operands[-1].text, cwd)
        for one in earlier
        if one.program == "git" and one.subcommand in ("remote add", "remote set-url") and one.operands
    ]
    if remote is None or any(sign in remote for sign in "/:."):
        named.append((remote, cwd))
    return not case.invocation.has("-c") and all(_missing(case, text, start) for text, start in named)


def _missing(case: Case, url: str | None, start: str | None) -> bool:
    """A path, seen from `start`, where nothing stands yet."""
    text = (url or "").removeprefix("file://")
    path = absolute(text, start) if ":" not in text else None
    return path is not None and text[:1] in ("/", ".") and case.world.path(path).kind == "missing"


MOVING = ("checkout", "switch", "reset", "rebase", "merge", "pull")
PLAINLY = ("--annotate", "--message", "--quiet")


def names_head(case: Case) -> bool:
    """Whether an earlier command, which has to succeed for this one to run, gives HEAD as it is now one more name that stays."""
    if any(one.program == "git" and one.has("--delete", "-D", "-d") for one in case.reading.invocations):
        return False
    for one in case.reading.invocations[: case.question.position]:
        if one.program != "git":
            continue
        if one.subcommand in MOVING:
            return False
        naming = one.subcommand in ("branch", "tag") and len(one.operands) == 1 and not one.unknown
        if naming and all(option.name in PLAINLY for option in one.options) and one.cwd == case.invocation.cwd:
            return joined(one, case.invocation, case.reading) == "and"
    return False
