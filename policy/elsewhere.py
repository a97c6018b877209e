"""Another machine or a container, as bad as it may be: what facts about local state are asked of when the command runs there.

Nothing of it is known, so every answer takes its dangerous value: each path that the command names is edited, staged and untracked at once,
each branch holds commits of its own, the stash is full, the branch is a protected one. What a fact then says is never more than "may be":
a command that would lose nothing even there (`git pull`, `git checkout main`) is no question, one that would (`git reset --hard`) is one.
"""

from __future__ import annotations

from policy.programs.paths import absolute
from policy.world import Difference, PathFacts, Repository, Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from policy.model import Effect, Invocation

ROOT = "/elsewhere/there"
"""The directory that a command there runs in, which stands for whatever it is called."""

ASKED = frozenset(
    {"would_lose", "pushes", "stash_entries", "shared_stash", "editor_returns", "outside_hooks", "sends_secret", "piped_secret"}
)  # fmt: skip
"""Facts about state that this model can answer; all others about state cannot be told there."""

SEVERAL = ("merge", "rebase", "cherry-pick", "revert", "am")
"""Subcommands that speak of an operation that stopped half-way: its conflicts count as solved by hand."""


def moved(invocation: Invocation) -> Invocation:
    """The invocation as if it ran in ROOT, relative paths of its effects made absolute."""
    return invocation.replace(
        cwd=ROOT,
        effects=tuple(map(placed, invocation.effects)),
        redirects=tuple(map(placed, invocation.redirects)),
    )


def placed(effect: Effect) -> Effect:
    """The effect itself where its path is known or cannot be."""
    text = effect.value.text if effect.value is not None else None
    if effect.path is not None or not text or text.startswith("~"):
        return effect
    return effect.replace(path=absolute(text, ROOT))


class Elsewhere:
    """The World of one command there."""

    def __init__(self, invocation: Invocation) -> None:
        given = [value.text for value in invocation.operands]
        given += [option.value.text for option in invocation.options if option.value is not None]
        paths = [effect.path for effect in (*invocation.effects, *invocation.redirects)]
        texts = [text for text in given if text] + [path for path in paths if path]
        self.names = tuple(dict.fromkeys(name for name in map(_relative, texts) if name))
        self.trees = tuple(f"{ROOT}/{name}" if ".." not in name else absolute(name, ROOT) or "" for name in self.names)
        self.half_way = invocation.subcommand.partition(" ")[0] in SEVERAL
        self.refused = self.half_way or invocation.subcommand == "reset"

    def read_text(self, path: str, limit: int) -> str | None:
        del limit
        return "path = module\n" if path.endswith("/.gitmodules") else None

    def path(self, path: str) -> PathFacts:
        return PathFacts("missing" if path.endswith("/locked") else "file", path)

    def listdir(self, path: str, limit: int) -> tuple[str, ...]:
        del path, limit
        return ()

    def repository(self, cwd: str, environment: Mapping[str, str]) -> Repository:
        del environment
        return Repository("git", cwd, f"{cwd}/.git", f"{cwd}/.git", worktrees=self.trees or (f"{ROOT}-2",))

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        del repository
        both = () if self.refused else ("both", *(f"{name}/both" for name in self.names))
        conflicts = ("solved",) if self.half_way else ()
        return Status(
            modified=("edited", *self.names, *both, *conflicts),
            staged=("added", *(f"{name}/added" for name in self.names), *both),
            staged_and_modified=both,
            untracked=("loose", *self.names) if untracked else (),
            ignored=("hidden", *self.names) if ignored else (),
            unmerged=conflicts,
            operation="merge" if self.half_way else "",
        )

    def branch(self, repository: Repository) -> str | None:
        del repository
        return "main"

    def resolve(self, repository: Repository, revision: str) -> str | None:
        del repository
        return _id(revision) if _names_commit(revision) else None

    def tracked(self, repository: Repository, revision: str = "") -> frozenset[str]:
        del repository, revision
        return frozenset(("edited", *self.names))

    def against(self, repository: Repository, revision: str) -> Difference:
        del repository, revision
        return Difference()

    def config(self, repository: Repository, key: str) -> str | None:
        del repository, key
        return None

    def refs(self, repository: Repository, prefix: str) -> Mapping[str, str]:
        del repository
        heads = ("refs/heads/", "refs/tags/", "refs/")
        names = [f"{head}{name}" for name in self.names for head in heads if not name.startswith("refs/")]
        names += [name for name in self.names if name.startswith("refs/")]
        return {name: _id(name) for name in names if name.startswith(prefix)}

    def stashes(self, repository: Repository) -> tuple[str, ...]:
        del repository
        return ("what somebody saved",) * 10

    def unreachable_after(self, repository: Repository, removed: tuple[str, ...], kept: tuple[str, ...]) -> int:
        del repository, kept
        return len(removed)

    def sessions(self, root: str) -> int:
        del root
        return 1

    def attested(self, command: tuple[str, ...], path: str, digest: str) -> bool:
        del command, path, digest
        return False

    def program(self, name: str) -> str | None:
        return f"/usr/bin/{name}"


def _relative(text: str) -> str:
    """A path as git's status would list it; "" for the top itself and for patterns and pathspec magic that take everything."""
    name = text.removeprefix(ROOT).strip("/").removeprefix("./")
    return "" if name in (".", "") or name.startswith((":", "-")) else name


def _id(name: str) -> str:
    """An object id of its own for every name."""
    return name.encode("utf-8", "surrogateescape").hex().zfill(40)[-40:]


def _names_commit(name: str) -> bool:
    """Whether a word after `git checkout` is rather a commit than a file: no slash at its end, no suffix at its last part."""
    last = name.rpartition("/")[2]
    version = last.lstrip("v")[:1].isdigit()
    return bool(last) and name not in (".", "..") and ("." not in last or version) and not name.startswith(":")
