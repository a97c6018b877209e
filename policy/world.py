"""The questions that rules may ask of the outside world. `guards.world` answers them for real, `policy.rules.given` from an example.

Every answer is bounded in work. A question that cannot be answered raises `Unanswered`; the fact then takes its dangerous value and the
engine adds `world/unknown`. Nothing here starts a program that a repository or the environment names.
"""

from __future__ import annotations

from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol
else:
    Protocol = object


class Unanswered(Exception):  # noqa: N818
    """The outside world did not answer within its bounds; the message says which question and why."""


class Repository(Record):
    """The repository that a command acts on.

    kind       git, jj-colocated, jj (pure), none
    root       top of the working tree; "" when bare or none
    git_dir    this working tree's git directory; common_dir the one that worktrees share
    worktrees  other working trees of the same repository, as roots
    index_file the index when GIT_INDEX_FILE names another one, else ""
    """

    kind: str
    root: str = ""
    git_dir: str = ""
    common_dir: str = ""
    linked: bool = False
    bare: bool = False
    submodule: bool = False
    worktrees: tuple[str, ...] = ()
    index_file: str = ""


class Status(Record):
    """What is uncommitted, paths relative to the root, sorted.

    modified             on disk otherwise than in the index (or only there: a stat that differs counts until the bytes prove equal)
    staged               in the index otherwise than in HEAD; staged_and_modified are in both lists
    untracked, ignored   files; an ignored directory, and a repository inside this one, as one name with a `/` at its end
    deleted              in the index, not on disk (a directory may stand there)
    intent_to_add        `git add -N`: only on disk; in no other list
    assumed_unchanged, skip_worktree   flagged so and yet different on disk: git itself calls them clean
    operation            merge, rebase, cherry-pick, am, bisect, revert or ""
    more                 the scan stopped at its bound: the lists are a lower bound
    """

    modified: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()
    staged_and_modified: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    unmerged: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    intent_to_add: tuple[str, ...] = ()
    assumed_unchanged: tuple[str, ...] = ()
    skip_worktree: tuple[str, ...] = ()
    operation: str = ""
    more: bool = False


EDITED = ("modified", "staged", "staged_and_modified", "unmerged", "intent_to_add")
"""The lists of a Status that name files with uncommitted changes which git knows of."""


class Difference(Record):
    """The index against a commit's tree, paths relative to the root: only in the index, otherwise there, only in the commit."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class PathFacts(Record):
    """kind: missing, file, directory, link, device, other. `real` follows symbolic links; `target` is the link's own."""

    kind: str
    real: str = ""
    target: str = ""
    mode: int = 0
    size: int = 0
    entries: int = 0


class World(Protocol):
    """The outside, as rules see it. Paths are absolute. `environment` is the judged command's own, where it matters (GIT_DIR …)."""

    def read_text(self, path: str, limit: int) -> str | None:
        """The file's text, None when it is missing, not a regular file or longer than `limit` bytes."""

    def path(self, path: str) -> PathFacts:
        """What stands at a path."""

    def listdir(self, path: str, limit: int) -> tuple[str, ...]:
        """Names in a directory, sorted, at most `limit`; () when it is none."""

    def repository(self, cwd: str, environment: Mapping[str, str]) -> Repository:
        """The repository that git or jj would use in `cwd`, GIT_DIR and the like respected."""

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        """What is uncommitted. Untracked and ignored files are looked for only when asked."""

    def branch(self, repository: Repository) -> str | None:
        """The short name of the branch that HEAD is on; None when detached or unborn without a name."""

    def resolve(self, repository: Repository, revision: str) -> str | None:
        """The object id of a ref name or a full or short id, None when it cannot be told without git."""

    def tracked(self, repository: Repository, revision: str = "") -> frozenset[str]:
        """Paths in the index, or in a commit's tree when a revision is given."""

    def against(self, repository: Repository, revision: str) -> Difference:
        """The index against a revision's tree. Raises Unanswered when the revision cannot be told without git."""

    def config(self, repository: Repository, key: str) -> str | None:
        """A git configuration value as git would read it (system, global, local), include directives followed, nothing run."""

    def refs(self, repository: Repository, prefix: str) -> Mapping[str, str]:
        """Full ref names below a prefix, to object ids."""

    def stashes(self, repository: Repository) -> tuple[str, ...]:
        """Messages of the stash entries, newest first."""

    def unreachable_after(self, repository: Repository, removed: tuple[str, ...], kept: tuple[str, ...]) -> int:
        """How many commits reachable from ids in `removed` are reachable from no ref outside and none of `kept`."""

    def sessions(self, root: str) -> int:
        """How many other live agent sessions work in this repository."""

    def program(self, name: str) -> str | None:
        """The absolute path that a program name resolves to, our own shims left out."""

    def attested(self, command: tuple[str, ...], path: str, digest: str) -> bool:
        """Whether the person's own `command` says that this content (SHA-256) of a script was looked at; False when it does not answer."""
