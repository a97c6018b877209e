"""`git worktree` in a jj repository: workspaces of jj, with the safeties that a removal needs."""

from __future__ import annotations

import posix

from guards.shim import ask
from guards.shim.call import Call, Refused, say
from guards.shim.jjcommit import refusal, revision
from guards.shim.jjrepo import Repo, asked
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.shim.gitline import Line

NEEDED = (2, 48)
"""jj makes git worktrees with relative paths, which an older git can neither make nor read."""


class Workspace(Record):
    """A registered workspace: its name, commit of the working copy, parent of that, and root (as recorded)."""

    name: str
    commit: str
    parent: str
    root: str


class Wish(Record):
    """What is asked of `git worktree`: the words after its verb, and the directory that git would work in."""

    call: Call
    repo: Repo
    place: str
    words: tuple[str, ...]


def act(call: Call, repo: Repo, line: Line) -> tuple[str, ...]:
    """The jj command that does what was asked; the words after `jj`. Does not return where there is more to do. Raises Refused."""
    verb = line.rest[0] if line.rest else ""
    if verb not in ("add", "list", "remove", "prune"):
        raise refused(
            f"git worktree {verb}".rstrip(),
            "jj has no form of it",
            "jj workspace list",
        )
    from guards.shim.jjremove import remove

    verbs: dict[str, Callable[[Wish], tuple[str, ...]]] = {"add": add, "list": show, "remove": remove, "prune": prune}
    return verbs[verb](Wish(call, repo, line.place, line.rest[1:]))


def registered(call: Call, repo: Repo) -> list[Workspace]:
    """Every workspace of the repository."""
    template = 'name ++ "\\t" ++ target.commit_id() ++ "\\t" ++ target.parents().map(|c| c.commit_id()).join(" ") ++ "\\t" ++ if(root, root) ++ "\\n"'
    rows = [row.split("\t") for row in asked(call, repo, "workspace", "list", "-T", template).splitlines()]
    return [Workspace(name, commit, parent.split(" ")[0], root) for name, commit, parent, root in rows]


def add(wish: Wish) -> tuple[str, ...]:
    """`worktree add [-b NAME] PATH [COMMIT]`."""
    operands, branch, rest = [], "", list(wish.words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if word in ("-b", "-B") and rest:
            branch = rest.pop(0)
        elif word == "--reason" and rest:
            rest.pop(0)
        elif word.startswith("-") and word not in (
            "-d",
            "--detach",
            "-f",
            "--force",
            "-q",
            "--quiet",
            "--lock",
            "--checkout",
            "--guess-remote",
            "--no-guess-remote",
        ):
            raise refused(
                "git worktree add", f"{word[:40]!r} has no form in jj", "jj workspace add PATH --revision REVISION"
            )
        elif not word.startswith("-"):
            operands.append(word)
    if not 1 <= len(operands) <= 2:
        raise refused("git worktree add", "it names no one path", "git worktree add PATH [COMMIT]")
    if wish.repo.colocated:
        _git_is_new_enough(wish.call)
    if branch:
        say(
            f"gatepost: jj workspaces need no branch: {branch!r} was not made; `jj bookmark create NAME -r REVISION` when there is a commit for it."
        )
    start = ("--revision", revision(operands[1])) if len(operands) == 2 else ()
    return ("workspace", "add", *start, "--", operands[0])


def _git_is_new_enough(call: Call) -> None:
    answer = ask.run((call.real, "--version"), call.environment)
    numbers = answer.output.replace("git version", "").strip().split(".")
    found = tuple(int(number) for number in numbers[:2] if number.isdigit())
    if found < NEEDED:
        raise refused(
            "git worktree add",
            f"jj makes a git worktree with relative paths, which needs git {NEEDED[0]}.{NEEDED[1]}; this one is {'.'.join(numbers[:3])} and could no longer read the repository",
            "jj workspace add --no-colocate PATH",
        )


def show(wish: Wish) -> tuple[str, ...]:
    """`worktree list [--porcelain [-z]] [-v]`, in git's own words, from jj's register."""
    if any(word not in ("--porcelain", "-z", "-v", "--verbose") for word in wish.words):
        raise refused("git worktree list", "it has an option that jj has no form of", "jj workspace list")
    found = registered(wish.call, wish.repo)
    primary = posix.stat(wish.repo.store)
    found.sort(key=lambda space: (not is_primary(space.root, primary), space.root))
    if "--porcelain" in wish.words:
        end = "\0" if "-z" in wish.words else "\n"
        text = "".join(f"worktree {space.root}{end}HEAD {space.parent}{end}detached{end}{end}" for space in found)
    else:
        width = max((len(space.root) for space in found), default=0)
        text = "".join(f"{space.root:<{width}}  {space.parent[:7]} (detached HEAD)\n" for space in found)
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[posix.write(1, data) :]
    posix._exit(0)  # noqa: SLF001


def is_primary(root: str, store: posix.stat_result) -> bool:
    try:
        found = posix.stat(root + "/.jj/repo")
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (store.st_dev, store.st_ino)


def prune(wish: Wish) -> tuple[str, ...]:
    """`worktree prune`: forget the workspaces whose folder is gone; with -n only say which."""
    if any(word not in ("-n", "--dry-run", "-v", "--verbose") for word in wish.words):
        raise refused("git worktree prune", "it has an option that jj has no form of", "git worktree prune")
    gone = [
        space
        for space in registered(wish.call, wish.repo)
        if space.root and not posix.access(space.root + "/.jj", posix.F_OK)
    ]
    for space in gone:
        say(f"Removing worktrees/{space.name}: the folder {space.root!r} does not exist")
    if not gone or any(word in ("-n", "--dry-run") for word in wish.words):
        posix._exit(0)  # noqa: SLF001
    return ("workspace", "forget", "--", *(space.name for space in gone))


def refused(what: str, why: str, *instead: str) -> Refused:
    """The refusal of a worktree command."""
    return refusal(f"{what} in a jj repository: {why}", instead)
