"""Which repository a command in a directory works on, as git and jj would find it.

Source: git(1) "The Git Repository", gitrepository-layout(5); jj keeps `.jj/repo` at the top of every workspace.
"""

from __future__ import annotations

from guards.world import paths
from policy.world import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from guards.world.budget import Budget

    Values = dict[str, list[str]]

TRUE = ("true", "yes", "on", "1")
LINE = 8192
WORKTREES = 1000


def line(path: str) -> str:
    """The first line of a small file, "" without one."""
    return paths.text((paths.read(path, LINE) or b"").split(b"\n", 1)[0]).strip()


def is_git_dir(path: str) -> bool:
    """Whether git would take a folder for a repository: HEAD, and objects and refs of its own or a common folder's."""
    if not paths.exists(f"{path}/HEAD"):
        return False
    if paths.exists(f"{path}/commondir"):
        return True
    return paths.is_directory(f"{path}/objects") and paths.is_directory(f"{path}/refs")


def git_dir_of(path: str) -> str | None:
    """The repository folder behind a `.git`, directory or file."""
    if paths.is_directory(path):
        return path if is_git_dir(path) else None
    target = line(path)
    if target.startswith("gitdir:"):
        found = paths.join(paths.parent(path), target[7:].strip())
        return found if is_git_dir(found) else None
    return None


class Found:
    """A git repository before its configuration is asked: `root` "" when no working tree was found beside it."""

    __slots__ = ("by_file", "explicit", "git_dir", "root")

    def __init__(self, git_dir: str, root: str, *, by_file: bool = False, explicit: bool = False) -> None:
        self.git_dir = git_dir
        self.root = root
        self.by_file = by_file
        self.explicit = explicit


def ancestors(path: str) -> list[str]:
    """The directory and all above it, nearest first."""
    found = [path]
    while path != "/":
        path = paths.parent(path)
        found.append(path)
    return found


def find_git(cwd: str, environment: Mapping[str, str], budget: Budget) -> Found | None:
    """`cwd` is physical."""
    if environment.get("GIT_DIR"):
        named = paths.join(cwd, environment["GIT_DIR"])
        git_dir = git_dir_of(named) if not is_git_dir(named) else named
        return Found(git_dir, cwd, explicit=True) if git_dir else None
    ceilings = [paths.real(item) for item in environment.get("GIT_CEILING_DIRECTORIES", "").split(":") if item]
    for here in ancestors(cwd):
        budget.spend(3, "the repository's place")
        if here in ceilings and here != cwd:
            return None
        at = f"{here.rstrip('/')}/.git"
        if paths.exists(at):
            git_dir = git_dir_of(at)
            if git_dir:
                return Found(git_dir, here, by_file=not paths.is_directory(at))
        if is_git_dir(here):
            return Found(here, "")
    return None


def find_jj(cwd: str, budget: Budget) -> str | None:
    """The top of the jj workspace around `cwd`."""
    for here in ancestors(cwd):
        budget.spend(1, "the repository's place")
        if paths.is_directory(f"{here.rstrip('/')}/.jj"):
            return here
    return None


def jj_store(root: str) -> str:
    """The git repository behind a jj workspace, "" when it has none."""
    repo = f"{root}/.jj/repo"
    if not paths.is_directory(repo):
        pointed = paths.text(paths.read(repo, LINE) or b"").strip()
        repo = paths.join(f"{root}/.jj", pointed) if pointed else repo
    target = line(f"{repo}/store/git_target")
    return paths.real(paths.join(f"{repo}/store", target)) if target else ""


def common_of(git_dir: str, environment: Mapping[str, str], cwd: str) -> str:
    if environment.get("GIT_COMMON_DIR"):
        return paths.join(cwd, environment["GIT_COMMON_DIR"])
    shared = line(f"{git_dir}/commondir")
    return paths.join(git_dir, shared) if shared else git_dir


def other_worktrees(git_dir: str, common: str, root: str, *, bare: bool) -> tuple[str, ...]:
    """The existing working trees of the same repository, `root` left out."""
    found = []
    if git_dir != common and not bare and common.endswith("/.git"):
        found.append(paths.parent(common))
    for name in paths.names(f"{common}/worktrees", WORKTREES):
        at = line(f"{common}/worktrees/{name}/gitdir")
        if at:
            top = paths.parent(paths.join(f"{common}/worktrees/{name}", at))
            if paths.is_directory(top):
                found.append(top)
    return tuple(sorted({top for top in found if top != root}))


def repository(
    cwd: str, environment: Mapping[str, str], budget: Budget, config: Callable[[str, str, Mapping[str, str]], Values]
) -> Repository:
    """What git and jj would work on in `cwd`. `config` reads the configuration of (git_dir, common_dir, environment)."""
    cwd = paths.real(cwd)
    found = find_git(cwd, environment, budget)
    jj = find_jj(cwd, budget)
    if found is None:
        return Repository("jj", jj, jj_store(jj), jj_store(jj)) if jj is not None else Repository("none")
    git_dir = paths.real(found.git_dir)
    common = paths.real(common_of(git_dir, environment, cwd))
    values = config(git_dir, common, environment)
    root, bare = worktree(found, cwd, environment, values, git_dir)
    if found.explicit:  # the command may stand elsewhere: what it works on decides
        jj = find_jj(root or git_dir, budget) or find_jj(git_dir, budget) or jj
    kind = kind_of(jj, root, git_dir, found)
    if kind == "jj" and jj is not None:
        return Repository("jj", jj, git_dir, common)
    linked = git_dir != common
    return Repository(
        kind,
        root,
        git_dir,
        common,
        linked=linked,
        bare=bare,
        submodule=found.by_file and not linked and "/modules/" in git_dir,
        worktrees=other_worktrees(git_dir, common, root, bare=bare_config(values)),
        index_file=paths.join(cwd, environment["GIT_INDEX_FILE"]) if environment.get("GIT_INDEX_FILE") else "",
    )


def bare_config(values: Values) -> bool:
    return values.get("core.bare", ["false"])[-1].lower() in TRUE


def worktree(found: Found, cwd: str, environment: Mapping[str, str], values: Values, git_dir: str) -> tuple[str, bool]:
    """(top of the working tree or "", bare)."""
    if environment.get("GIT_WORK_TREE"):
        return paths.real(paths.join(cwd, environment["GIT_WORK_TREE"])), False
    placed = values.get("core.worktree", [""])[-1]
    if placed:
        return paths.real(paths.join(git_dir, placed)), False
    linked = paths.exists(f"{git_dir}/commondir")
    if bare_config(values) and not linked:
        return "", True
    if found.explicit or found.root:
        return cwd if found.explicit else found.root, False
    return "", not linked and not git_dir.endswith("/.git")  # the command stands inside the repository's own folder


def kind_of(jj: str | None, root: str, git_dir: str, found: Found) -> str:
    """git, jj-colocated or jj: a git repository nested in a jj workspace is plain git, unless it is the workspace's own."""
    if jj is None:
        return "git"
    store = jj_store(jj)
    if found.explicit:
        touches = git_dir == store or paths.inside(git_dir, jj) or (root and paths.inside(root, jj))
        return "jj-colocated" if touches else "git"
    if root == jj:
        return "jj-colocated"
    outer = len(root) < len(jj) and not paths.inside(git_dir, f"{jj}/.jj")
    return "jj" if outer or (store and git_dir == store) else "git"
