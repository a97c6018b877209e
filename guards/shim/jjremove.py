"""`git worktree remove` in a jj repository: a workspace is forgotten and its folder deleted, if nothing is lost by it."""

from __future__ import annotations

import posix

from guards.shim import ask, files
from guards.shim.call import Call, say
from guards.shim.gitline import below
from guards.shim.jjrepo import Repo, clause, jj, physical
from guards.shim.jjworkspace import is_primary, refused, registered
from policy.wording import shell_quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shim.jjworkspace import Wish


def remove(wish: Wish) -> tuple[str, ...]:
    """`worktree remove [-f] PATH`: forget the workspace, then delete its folder.

    Refused: options unknown, anything but a folder that is exactly the root of a registered workspace, the primary one, the one we
    are in; without -f also changes, untracked and ignored files. The working copy is taken in by jj first, so even a forced removal
    can be looked up in the operation log. Forgetting comes before deleting: broken off between, files are left over, not a registration.
    """
    force = any(word in ("-f", "--force", "-ff") for word in wish.words)
    if any(word.startswith("-") and word not in ("-f", "--force", "-ff", "--") for word in wish.words):
        raise refused("git worktree remove", "it has an option that jj has no form of", "git worktree remove [-f] PATH")
    operands = [word for word in wish.words if not word.startswith("-")]
    if len(operands) != 1:
        raise refused("git worktree remove", "it names no one path", "git worktree remove [-f] PATH")
    root = _removable(wish, below(wish.place, operands[0]))
    space = next((space for space in registered(wish.call, wish.repo) if physical(space.root) == root), None)
    if space is None:
        raise refused(
            "git worktree remove", f"{root!r} is not the root of a workspace of this repository", "jj workspace list"
        )
    there = wish.repo.replace(root=root)
    changes = _taken_in(wish.call, there)
    if not force:
        _nothing_to_lose(wish.call, there, changes)
    _forget(wish, space.name)
    files.remove(root)
    say(f"gatepost: this is a jj repository: workspace {space.name!r} was forgotten and {root!r} deleted.")
    posix._exit(0)  # noqa: SLF001


def _taken_in(call: Call, there: Repo) -> str:
    """The changes that a workspace holds, now in jj's operation log; "" for none. Raises Refused where jj cannot take them in."""
    taken = ask.run(
        (jj(call), "--no-pager", "--color", "never", "-R", there.root, "diff", "--summary"), call.environment
    )
    if taken.status != 0:
        raise refused(
            "git worktree remove",
            f"jj could not take in what it holds ({clause(taken.errors)})",
            f"jj -R {shell_quote(there.root)} workspace update-stale",
        )
    return taken.output.strip()


def _forget(wish: Wish, name: str) -> None:
    words = ("--color", "never", "-R", wish.repo.root, "workspace", "forget", "--", name)
    forgotten = ask.run((jj(wish.call), *words), wish.call.environment)
    if forgotten.status != 0:
        raise refused(
            "git worktree remove",
            f"jj did not forget the workspace: {clause(forgotten.errors)}",
            "jj workspace list",
        )


def _removable(wish: Wish, path: str) -> str:
    """The physical path, if it may be a workspace that can go. Raises Refused."""
    while path != "/" and path.endswith(("/", "/.")):
        path = path.removesuffix("/.").rstrip("/") or "/"
    what = _no_folder(path)
    root = "" if what else physical(path)
    if not what and is_primary(root, posix.stat(wish.repo.store)):
        what = "that is the primary workspace"
    if not what and (root == wish.repo.root or f"{wish.call.cwd}/".startswith(root + "/")):
        what = "that is where you are"
    if what:
        raise refused("git worktree remove", f"{path[:80]!r}: {what}", "jj workspace list")
    return root


def _no_folder(path: str) -> str:
    """Why a path cannot be a workspace; "" when it can."""
    if any(sign in path for sign in "\t\n") or path == "/":
        return "the path is not one that a workspace has"
    try:
        kind = posix.lstat(path).st_mode & 0o170000
    except OSError:
        return "there is nothing"
    if kind == 0o120000:
        return "that is a symbolic link"
    return "" if kind == 0o040000 else "that is no folder"


def _nothing_to_lose(call: Call, there: Repo, changes: str) -> None:
    """Raises Refused when the workspace holds changes, or files that jj does not track."""
    if changes:
        raise refused(
            "git worktree remove",
            f"{there.root!r} holds changes",
            "jj commit -m MESSAGE",
            "git worktree remove -f PATH",
        )
    tracked = set(
        ask.run(
            (jj(call), "--no-pager", "--color", "never", "-R", there.root, "file", "list", "-T", 'path ++ "\\n"'),
            call.environment,
        ).output.splitlines()
    )
    extra = _first_untracked(there.root, "", tracked)
    if extra is not None:
        raise refused(
            "git worktree remove",
            f"{there.root!r} holds files that jj does not track, such as {extra[:60]!r}",
            "git worktree remove -f PATH",
        )


def _first_untracked(root: str, folder: str, tracked: set[str]) -> str | None:
    for name in sorted(posix.listdir(f"{root}/{folder}")):
        path = f"{folder}{name}"
        if path in (".jj", ".git"):
            continue
        kind = posix.lstat(f"{root}/{path}").st_mode & 0o170000
        if kind == 0o040000:
            found = _first_untracked(root, path + "/", tracked)
            if found is not None:
                return found
        elif path not in tracked:
            return path
    return None
