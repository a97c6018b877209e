"""What a working tree holds when a git command runs: its status now, changed by the earlier commands of the same request."""

from __future__ import annotations

from policy.record import Record
from policy.rules.predicates.git_order import joined
from policy.rules.predicates.git_paths import Spec, normal
from policy.rules.predicates.git_place import Place, parts, place
from policy.world import Repository, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy.model import Effect, Invocation, Reading
    from policy.rules.fact import Question
    from policy.world import World

SETS = ("modified", "staged", "both", "untracked", "ignored", "intent", "deleted", "assumed", "skipped", "unmerged")
LAZY = frozenset((*SETS, "operation"))
WRITES = frozenset({"write", "append", "create", "edit", "move-to", "link"})
LAUNCHERS = ("submodule foreach", "rebase", "filter-branch", "bisect run")
ONCE = frozenset(
    {
        "sudo", "doas", "env", "command", "exec", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "timeout", "eval", "sh", "bash",
        "dash", "zsh", "mise", "with-limits",
    }
)  # fmt: skip
"""Launchers that start what they are given here and once; what others start (xargs, find, git) may not run, or elsewhere, and saves nothing."""
ENTRY = "the files of the stash entry"


class State:
    """Sets of paths relative to the top, as in `policy.world.Status`; `both` is staged and modified since.

    They are read when the first of them is looked at: commands that lose nothing by themselves then cost nothing in a large tree.
    `dead`: an earlier command fails before this one can run. `branch`: what an earlier command switched to, "" for what is not known,
    None for the present one.
    """

    modified: set[str]
    staged: set[str]
    both: set[str]
    untracked: set[str]
    ignored: set[str]
    intent: set[str]
    deleted: set[str]
    assumed: set[str]
    skipped: set[str]
    unmerged: set[str]
    operation: str

    def __init__(self, at: Place, world: World, *, untracked: bool = False, ignored: bool = False) -> None:
        self.place = at
        self.repository = at.repository
        self.world = world
        self.wanted = (untracked, ignored)
        self.dead = False
        self.branch: str | None = None
        self.fetched = False
        self.saved: list[dict[str, set[str]]] = []

    def __getattr__(self, name: str) -> object:
        if name not in LAZY:
            raise AttributeError(name)
        self.load()
        return self.__dict__[name]

    def load(self) -> None:
        """Reads the status into the sets."""
        untracked, ignored = self.wanted
        status = self.world.status(self.repository, untracked=untracked, ignored=ignored)
        self.modified = set(status.modified)
        self.staged = set(status.staged)
        if status.operation:
            self.staged = by_hand(self.world, self.repository, self.staged)
        self.both = self.staged & self.modified
        self.untracked = set(status.untracked)
        self.ignored = set(status.ignored)
        self.intent = set(status.intent_to_add)
        self.deleted = set(status.deleted)
        self.assumed = set(status.assumed_unchanged)
        self.skipped = set(status.skip_worktree)
        self.unmerged = set(status.unmerged)
        self.operation = status.operation

    @property
    def edited(self) -> set[str]:
        """Conflicted files that were edited and not added."""
        return self.modified & self.unmerged

    def shadowed(self) -> set[str]:
        """Deleted paths in whose place a directory stands: what is in it is tracked nowhere."""
        return {path for path in self.deleted if self.world.path(self.place.absolute(path)).kind == "directory"}

    def beyond_link(self) -> set[str]:
        """Deleted paths that a symbolic link above them leads out of the working tree."""
        found: set[str] = set()
        links: dict[str, bool] = {}
        for path in self.deleted:
            folder = path.rpartition("/")[0]
            while folder:
                if folder not in links:
                    links[folder] = self.world.path(self.place.absolute(folder)).kind == "link"
                if links[folder]:
                    found.add(path)
                folder = folder.rpartition("/")[0]
        return found

    def drop(self, paths: set[str], *names: str) -> dict[str, set[str]]:
        """Takes paths out of the named sets, and says what was taken."""
        taken = {}
        for name in names:
            mine: set[str] = getattr(self, name)
            taken[name] = mine & paths
            mine -= paths
        return taken

    def everything(self) -> set[str]:
        return set().union(*(getattr(self, name) for name in SETS))


def by_hand(world: World, repository: Repository, staged: set[str]) -> set[str]:
    """Staged paths that the running merge did not write itself."""
    if not staged:
        return staged
    try:
        machine = world.against(repository, "AUTO_MERGE")
    except Unanswered:
        return staged
    return staged & {*machine.added, *machine.changed}


class Case(Record):
    """One git command in its request and world, as a fact is asked about it."""

    invocation: Invocation
    world: World
    question: Question
    reading: Reading

    def state(self, *, untracked: bool = False, ignored: bool = False) -> State:
        """What the command meets, earlier commands counted. Raises Unanswered when that cannot be told."""
        earlier = self.reading.invocations[: self.question.position]
        more = untracked or any(one.program == "git" and one.subcommand == "add" for one in earlier)
        found = State(self.place(), self.world, untracked=more, ignored=ignored)
        for one in earlier:
            replay(found, one, self.invocation, self.reading)
        return found

    def place(self) -> Place:
        """Where the command works. A repository that the request makes holds nothing yet, a working tree only what all of them share."""
        one = made_by(self.invocation, self.world, self.question, self.reading)
        if one is None:
            earlier = self.reading.invocations[: self.question.position]
            if any(each.subcommand == "worktree move" for each in earlier):
                from policy.rules.predicates.git_fresh import before_moving

                return place(before_moving(self.invocation, self.world, earlier), self.world)
            return place(self.invocation, self.world)
        from policy.rules.predicates.git_fresh import SHARED

        if one.subcommand == "worktree add" and self.invocation.subcommand in SHARED:
            return place(one, self.world)
        return Place(Repository("none"), self.invocation.cwd or "")

    def earlier(self, *subcommands: str) -> bool:
        """Whether one of these git commands stands before this one."""
        before = self.reading.invocations[: self.question.position]
        return any(one.program == "git" and one.subcommand in subcommands for one in before)

    def branch(self) -> str | None:
        """The branch that HEAD is on when the command runs; None when it is on none, or on one that is not known."""
        here = self.state().branch if self.earlier("checkout", "switch") else None
        return self.world.branch(self.place().repository) if here is None else here or None

    def head(self) -> str | None:
        """The commit that HEAD names when the command runs; None when that is not known."""
        repository = self.place().repository
        moved = self.state().branch if self.earlier("checkout", "switch") else None
        if moved == "":
            return None
        tip = self.world.refs(repository, f"refs/heads/{moved}").get(f"refs/heads/{moved}") if moved else None
        return tip or self.world.resolve(repository, "HEAD")

    def launcher(self) -> str:
        """The git subcommand that starts this command, "" when a shell or something else does."""
        if self.invocation.launched_by[-1:] != ("git",):
            return ""
        for one in reversed(self.reading.invocations[: self.question.position]):
            if one.program == "git" and one.span == self.invocation.span and one.subcommand in LAUNCHERS:
                return one.subcommand
        return ""

    def output(self) -> tuple[str, ...]:
        """Files that the command writes over: by an option of its own, or by a redirection."""
        return tuple(
            effect.path
            for effect in (*self.invocation.effects, *self.invocation.redirects)
            if effect.kind == "write" and effect.path is not None and not effect.glob
        )

    def only_here(self, ids: Iterable[str | None], names: frozenset[str], kept: Iterable[str | None] = ()) -> int:
        """How many commits are reachable from `ids` and from no ref but those in `names`, nor from `kept`."""
        repository = self.place().repository
        removed = tuple(sorted({oid for oid in ids if oid}))
        others = {
            oid
            for name, oid in self.world.refs(repository, "refs/").items()
            if name not in names and name != "refs/stash"
        }
        others |= {oid for oid in kept if oid}
        if removed and not set(removed) <= others and self.earlier("branch", "tag"):
            from policy.rules.predicates.git_fresh import names_head

            others |= {self.world.resolve(repository, "HEAD") or ""} if names_head(self) else set()
        if not removed or set(removed) <= others:
            return 0
        return self.world.unreachable_after(repository, removed, tuple(sorted(others)))


def made_by(invocation: Invocation, world: World, question: Question, reading: Reading) -> Invocation | None:
    """The earlier command of the request that makes the repository or the working tree in which this one works."""
    earlier = reading.invocations[: question.position]
    if not any(one.subcommand in ("clone", "init", "worktree add") for one in earlier):
        return None
    from policy.rules.predicates.git_fresh import maker

    return maker(invocation, world, reading, earlier)


def replay(found: State, one: Invocation, before: Invocation, reading: Reading) -> None:
    """What an earlier command leaves behind."""
    root = found.repository.root
    if one.place != "local" or not root:
        return
    if one.program == "git":
        if not set(one.launched_by) <= ONCE:
            found.branch = "" if one.subcommand in ("checkout", "switch") else found.branch
            return
        from policy.rules.predicates import git_replay

        try:
            at = place(one, found.world)
        except Exception:  # noqa: BLE001  # where it works cannot be told: it is not counted on
            return
        if at.repository.root == root:
            how = joined(one, before, reading)
            git_replay.apply(found, one, at, how)
            if one.subcommand == "diff" and how == "and":
                from policy.rules.predicates import git_copies

                git_copies.patch(found, one, at, reading)
                written(found, one.redirects, root)
        return
    if one.program == "cp" and set(one.launched_by) <= ONCE and joined(one, before, reading) == "and":
        from policy.rules.predicates import git_copies

        git_copies.copy(found, one, reading)
    from policy.rules.predicates.arrivals import arriving

    written(found, (*arriving(one, found.world, reading), *one.redirects), root, touch=one.program == "touch")


def written(found: State, effects: Iterable[Effect], root: str, *, touch: bool = False) -> None:
    """What a command does to files of the working tree, beside what git itself does."""
    for effect in effects:
        if effect.path is not None and effect.path.startswith(root + "/") and not effect.glob:
            kind = "create" if touch else effect.kind
            touched(found, normal(effect.path[len(root) :]), kind)


def touched(found: State, path: str, kind: str) -> None:
    if path.startswith(".git/"):
        return
    if kind in WRITES:
        if path in found.world.tracked(found.repository):
            if kind == "create":
                return
            found.modified.add(path)
            if path in found.staged:
                found.both.add(path)
        elif path not in found.ignored:
            found.untracked.add(path)
    elif kind in ("delete", "move-from"):
        gone = {name for name in found.everything() if name.rstrip("/") == path or name.startswith(path + "/")}
        found.drop(gone, "modified", "both", "untracked", "ignored", "intent")


def spec(found: State, invocation: Invocation) -> Spec:
    """The pathspecs of a command all of whose operands are such."""
    before, behind = parts(invocation)
    return Spec((*before, *(behind or ())), found.place.prefix, found.repository.root)
