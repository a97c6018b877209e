"""A World made from an example's `given` table, and what one rule says about an example.

The world of an example is a repository at ~/work/app unless it says otherwise. A fact that `given` names is answered from there instead.
"""

from __future__ import annotations

import posixpath
from typing import Any

from policy.engine import Engine
from policy.evaluate import RANK
from policy.model import Decision, Request
from policy.rules import predicates, translate
from policy.rules.fact import FactResult, Question
from policy.rules.predicates.well_known import TEMPORARY
from policy.world import Difference, PathFacts, Repository, Status, Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from policy.compiled import Compiled
    from policy.model import Invocation, Reading
    from policy.rules.layers import Found
    from policy.rules.schema import Example
    from policy.world import World

WORLD_KEYS = frozenset(
    {
        "arriving", "assumed_unchanged", "attested", "branch", "config", "cwd", "deleted", "door", "environment", "files", "home", "host", "ignored", "intent_to_add",
        "links", "modified", "operation", "programs", "refs", "repository", "root", "sessions", "staged", "staged_and_modified", "stashes",
        "tracked", "unmerged", "unreachable", "untracked", "worktrees",
    }
)  # fmt: skip
HOME, APP = "/home/dev", "/home/dev/work/app"
STATUS = (
    "modified",
    "staged",
    "staged_and_modified",
    "untracked",
    "ignored",
    "unmerged",
    "deleted",
    "intent_to_add",
    "assumed_unchanged",
)


class GivenWorld:
    """Answers every question from a table; what the table does not mention is a clean repository without surprises."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given
        self.home = given.get("home", HOME)
        self.cwd = given.get("cwd", APP)
        self.kind = given.get("repository", "git")
        self.root = given.get("root", self.cwd if self.cwd != self.home else "") if self.kind != "none" else ""
        self.files = {self._absolute(name): text for name, text in given.get("files", {}).items()}
        self.links = {self._absolute(name): self._absolute(to) for name, to in given.get("links", {}).items()}

    def _absolute(self, name: str) -> str:
        if name.startswith("~"):
            return str(self.home) + name[1:]
        return posixpath.normpath(posixpath.join(self.cwd, name))

    def _real(self, path: str) -> str:
        for link, target in self.links.items():
            if path == link or path.startswith(link + "/"):
                return self._real(target + path[len(link) :])
        return path

    def read_text(self, path: str, limit: int) -> str | None:
        text = self.files.get(self._real(path))
        return text[:limit] if isinstance(text, str) and text != "directory" else None

    def path(self, path: str) -> PathFacts:
        real = self._real(path)
        if path in self.links:
            return PathFacts("link", real, self.links[path])
        if real in self.files:
            text = self.files[real]
            return PathFacts("directory" if text == "directory" else "file", real, size=len(text))
        if real in self._directories():
            return PathFacts("directory", real, entries=len(self.listdir(real, 1000)))
        if self._relative(real) in self._present():
            return PathFacts("file", real, size=1)
        return PathFacts("missing", real)

    def _relative(self, path: str) -> str:
        return path[len(self.root) + 1 :] if self.root and path.startswith(self.root + "/") else path

    def _present(self) -> frozenset[str]:
        listed = (name for key in (*STATUS, "tracked") if key != "deleted" for name in self.given.get(key, ()))
        return frozenset(name.rstrip("/") for name in listed)

    def _directories(self) -> frozenset[str]:
        known = [
            *self.files,
            *self.links,
            *(f"{self.root}/{name}" for name in self._present()),
            self.cwd + "/x",
            self.home + "/x",
            *(f"{root}/x" for root in TEMPORARY),
        ]
        if self.root:
            known += [
                f"{self.root}/.{'jj' if self.kind == 'jj' else 'git'}/x",
                *([f"{self.root}/.jj/x"] if "jj" in self.kind else []),
            ]
        folders: set[str] = set()
        for name in known:
            folder = posixpath.dirname(name)
            while folder not in folders:
                folders.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(folders)

    def listdir(self, path: str, limit: int) -> tuple[str, ...]:
        below = path.rstrip("/") + "/"
        known = {*self.files, *self.links, *self._directories(), *(f"{self.root}/{name}" for name in self._present())}
        return tuple(
            sorted({name[len(below) :].split("/")[0] for name in known if name.startswith(below) and name != below})
        )[:limit]

    def repository(self, cwd: str, environment: Mapping[str, str]) -> Repository:
        del environment
        for root, kind in {**self.given.get("worktrees_of", {}), self.root: self.kind}.items():
            if root and (cwd == root or cwd.startswith(root + "/")):
                git = "" if kind == "jj" else f"{root}/.git"
                return Repository(kind, root, git, git, worktrees=tuple(self.given.get("worktrees", ())))
        return Repository("none")

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        shown = [key for key in STATUS if (key != "untracked" or untracked) and (key != "ignored" or ignored)]
        lists: dict[str, Any] = {key: tuple(sorted(self.given.get(key, ()))) for key in shown}
        return Status(**lists, operation=self.given.get("operation", "")) if repository.root == self.root else Status()

    def branch(self, repository: Repository) -> str | None:
        branch = self.given.get("branch", "feat/login")
        return branch if branch and repository.kind != "none" else None

    def resolve(self, repository: Repository, revision: str) -> str | None:
        refs = self.refs(repository, "refs/")
        if revision in ("HEAD", "@"):
            return f"{1:040x}"
        return next(
            (
                refs[name]
                for name in (f"refs/heads/{revision}", f"refs/tags/{revision}", f"refs/remotes/{revision}")
                if name in refs
            ),
            None,
        )

    def tracked(self, repository: Repository, revision: str = "") -> frozenset[str]:
        del revision
        keys = ("tracked", "modified", "staged", "staged_and_modified", "unmerged")
        return (
            frozenset(name for key in keys for name in self.given.get(key, ()))
            if repository.root == self.root
            else frozenset()
        )

    def against(self, repository: Repository, revision: str) -> Difference:
        del repository
        if revision == "AUTO_MERGE":
            raise Unanswered("an example has no merge that wrote something")
        return Difference(gone=tuple(self.given.get("arriving", ())))

    def config(self, repository: Repository, key: str) -> str | None:
        del repository
        value: str | None = self.given.get("config", {}).get(key)
        return value

    def refs(self, repository: Repository, prefix: str) -> Mapping[str, str]:
        del repository
        return {name: at for name, at in self.given.get("refs", {}).items() if name.startswith(prefix)}

    def stashes(self, repository: Repository) -> tuple[str, ...]:
        del repository
        return tuple(self.given.get("stashes", ()))

    def unreachable_after(self, repository: Repository, removed: tuple[str, ...], kept: tuple[str, ...]) -> int:
        del repository, removed, kept
        return int(self.given.get("unreachable", 0))

    def sessions(self, root: str) -> int:
        return int(self.given.get("sessions", 0)) if root == self.root else 0

    def attested(self, command: tuple[str, ...], path: str, digest: str) -> bool:
        del command, digest
        return path in map(self._absolute, self.given.get("attested", ()))

    def program(self, name: str) -> str | None:
        found: str | None = self.given.get("programs", {}).get(name, f"/usr/bin/{name}")
        return found


def request_of(example: Example, world: GivenWorld) -> Request:
    """The request that an example describes."""
    given = example.given
    common = {
        "cwd": world.cwd, "home": world.home, "environment": {"HOME": world.home, **given.get("environment", {})},
        "host": given.get("host", "claude"), "dialect": "bash",
    }  # fmt: skip
    if example.tool:
        return Request(tool=example.tool, path=world._absolute(example.path or ""), content=example.content, **common)  # noqa: SLF001
    if example.argv is not None:
        return Request(argv=tuple(example.argv), door=given.get("door", "shim"), **common)
    return Request(text=example.run or "", door=given.get("door", "hook"), **common)


def given_facts(given: Mapping[str, Any]) -> Any:
    """A way to ask facts that answers from `given` first."""

    def ask(name: str, invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
        if name not in given or name in WORLD_KEYS:
            return predicates.ask(name, invocation, world, question, reading)
        value = given[name]
        if value == "unknown":
            raise Unanswered(f"{name} is given as unknown")
        if isinstance(value, bool):
            return FactResult(value)
        found = tuple(value) if isinstance(value, list) else (str(value),)
        return FactResult(bool(found), found, len(found))

    return ask


def judge(example: Example, rule: str, compiled: Compiled) -> tuple[str, tuple[str, ...], Decision]:
    """What one rule says about an example, what it suggests there after judging, and the whole decision."""
    world = GivenWorld(example.given)
    engine = Engine.of(compiled, given_facts(example.given))
    decision = engine.explain(request_of(example, world), world).decision
    mine = [f for f in decision.findings if f.rule == rule]
    strongest = max(mine, key=lambda f: RANK[f.action], default=None)
    return (strongest.action if strongest else "pass"), (decision.instead if decision.rule == rule else ()), decision


def own_buckets(found: Found, example: Example, everything: Compiled) -> dict[str, tuple[Any, ...]]:
    """The rule alone, with its own decision and the parameters of an example."""
    return translate.buckets(
        [translate.rule(found.id, found.rule, found.rule.decision, example.parameters, everything.aliases)]
    )
