"""The outside world as it is: files, and git's repositories read directly. Nothing that it looks at is run or written."""

from __future__ import annotations

from guards.world import configuration, locate, paths
from guards.world.budget import Budget
from policy.world import Difference, PathFacts, Repository, Status, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from guards.world.opened import Opened

VARIABLES = "GIT_"
NOTHING: dict[str, list[str]] = {}


class RealWorld:
    """Implements `policy.world.World` for one request; answers are remembered, so one object must not outlive it.

    `environment` is what the judged commands would see, `home` what `~` means to them. `hidden` are folders that `program` passes
    over (our own shims). `sessions` tells how many other agent sessions work below a directory. Who acts may set
    `attest`, which asks a command of the person's own about a version of a script.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        home: str = "",
        *,
        hidden: tuple[str, ...] = (),
        sessions: Callable[[str], int] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.environment = dict(environment or {})
        self.home = home or self.environment.get("HOME", "/")
        self.hidden = hidden
        self.counter = sessions
        self.attest: Callable[[tuple[str, ...], str, str], bool] | None = None
        self.budget = budget or Budget()
        self.seen: dict[str, PathFacts] = {}
        self.followed: dict[str, str] = {}
        self.here: dict[str, Repository] = {}
        self.places: dict[tuple[str, tuple[tuple[str, str], ...]], Repository] = {}
        self.configs: dict[tuple[str, str, tuple[tuple[str, str], ...]], dict[str, list[str]]] = {}
        self.variables: dict[Repository, dict[str, str]] = {}
        self.opened: dict[Repository, Opened] = {}

    # --- files ---------------------------------------------------------------------------------------------------------

    def read_text(self, path: str, limit: int) -> str | None:
        content = paths.read(path, limit)
        self.budget.spend(1 + len(content or b"") // 65_536, path)
        return None if content is None else paths.text(content)

    def path(self, path: str) -> PathFacts:
        self.budget.spend(4, path)
        found = self.seen.get(path)
        if found is None:
            found = self.seen[path] = paths.facts(path, self.followed)
        return found

    def listdir(self, path: str, limit: int) -> tuple[str, ...]:
        found = paths.names(path, limit)
        self.budget.spend(1 + len(found), path)
        return tuple(found)

    def program(self, name: str) -> str | None:
        if "/" in name:
            return name if self.executable(name) else None
        for folder in self.environment.get("PATH", "").split(":"):
            if folder.startswith("/") and folder.rstrip("/") not in self.hidden:
                self.budget.spend(1, "PATH")
                if self.executable(f"{folder}/{name}"):
                    return f"{folder}/{name}"
        return None

    def attested(self, command: tuple[str, ...], path: str, digest: str) -> bool:
        return self.attest is not None and self.attest(command, path, digest)

    def executable(self, path: str) -> bool:
        found = paths.facts(paths.real(path))
        return found.kind == "file" and bool(found.mode & 0o111)

    def sessions(self, root: str) -> int:
        return self.counter(root) if self.counter is not None else 0

    # --- git -----------------------------------------------------------------------------------------------------------

    def repository(self, cwd: str, environment: Mapping[str, str]) -> Repository:
        if not environment and cwd in self.here:  # a long script asks this for each of its paths
            return self.here[cwd]
        merged = self.merged(environment)
        key = (cwd, tuple(sorted(merged.items())))
        if key not in self.places:
            place = locate.repository(cwd, {**self.environment, **environment}, self.budget, self.values)
            self.places[key] = place
            self.variables.setdefault(place, {**self.environment, **environment})
        if not environment:
            self.here[cwd] = self.places[key]
        return self.places[key]

    def merged(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The variables that decide which repository and which configuration it is."""
        both = {**self.environment, **environment}
        return {name: both[name] for name in both if name.startswith(VARIABLES) or name in ("HOME", "XDG_CONFIG_HOME")}

    def values(self, git_dir: str, common: str, environment: Mapping[str, str]) -> dict[str, list[str]]:
        """The whole configuration of a repository ("" and "" for none)."""
        key = (git_dir, common, tuple(sorted(self.merged(environment).items())))
        if key not in self.configs:
            own: tuple[str, ...] = ()
            if common:
                own = (
                    (f"{common}/config", f"{git_dir}/config.worktree")
                    if self.has_worktree_config(common)
                    else (f"{common}/config",)
                )
            home = environment.get("HOME") or self.home

            def holds(condition: str, reader: configuration.Reader, path: str) -> bool:
                from guards.world import conditions

                return conditions.holds(condition, reader, path, git_dir)

            self.configs[key] = configuration.read(own, environment, home, self.budget, holds)
        return self.configs[key]

    def has_worktree_config(self, common: str) -> bool:
        content = paths.read(f"{common}/config", configuration.LIMIT) or b""
        if b"worktreeconfig" not in content.lower():
            return False
        found = dict(configuration.parse(paths.text(content)))
        return found.get("extensions.worktreeconfig", "false").lower() in locate.TRUE

    def open(self, repository: Repository) -> Opened:
        if repository not in self.opened:
            if not repository.git_dir:
                raise Unanswered("no git repository stands behind it")
            from guards.world.opened import Opened

            environment = self.variables.get(repository, self.environment)
            values = self.values(repository.git_dir, repository.common_dir, environment)
            self.opened[repository] = Opened(repository, values, self.home, self.budget)
        return self.opened[repository]

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        if repository.kind == "none":
            return Status()
        if repository.kind == "jj":
            raise Unanswered("what a jj working copy holds is known to jj alone")
        return self.open(repository).status(untracked=untracked, ignored=ignored)

    def branch(self, repository: Repository) -> str | None:
        if not repository.git_dir:
            return None
        name = self.open(repository).refs.symbolic("HEAD")
        return name[len("refs/heads/") :] if name is not None and name.startswith("refs/heads/") else None

    def resolve(self, repository: Repository, revision: str) -> str | None:
        if not repository.git_dir:
            return None
        try:
            opened = self.open(repository)
            if revision == "HEAD" and (found := opened.refs.read("HEAD")) is not None:
                return found  # what is asked most needs no module that knows revisions
            return opened.revisions.resolve(revision)
        except Unanswered:
            return None

    def tracked(self, repository: Repository, revision: str = "") -> frozenset[str]:
        if not repository.git_dir:
            return frozenset()
        return self.open(repository).tracked(revision)

    def against(self, repository: Repository, revision: str) -> Difference:
        if not repository.git_dir:
            raise Unanswered("no git repository stands behind it")
        found = self.open(repository).against(revision)
        return Difference(tuple(found.added), tuple(found.changed), tuple(found.gone))

    def config(self, repository: Repository, key: str) -> str | None:
        found = self.config_all(repository, key)
        return found[-1] if found else None

    def config_all(self, repository: Repository, key: str) -> tuple[str, ...]:
        environment = self.variables.get(repository, self.environment)
        values = self.values(repository.git_dir, repository.common_dir, environment)
        return tuple(values.get(configuration.canonical(key), ()))

    def refs(self, repository: Repository, prefix: str) -> Mapping[str, str]:
        if not repository.git_dir:
            return {}
        return {name: oid for name, oid in self.open(repository).refs.all().items() if name.startswith(prefix)}

    def stashes(self, repository: Repository) -> tuple[str, ...]:
        if not repository.git_dir:
            return ()
        refs = self.open(repository).refs
        lines = refs.log("refs/stash")
        if not lines and refs.read("refs/stash") is not None:
            return ("an entry without a log",)
        return tuple(line.partition("\t")[2] for line in reversed(lines))

    def unreachable_after(self, repository: Repository, removed: tuple[str, ...], kept: tuple[str, ...]) -> int:
        if not repository.git_dir:
            return 0
        opened = self.open(repository)
        outside = {oid for name, oid in opened.refs.all().items() if oid not in removed and name != "refs/stash"}
        return opened.commits.only(removed, frozenset({*outside, *kept}))
