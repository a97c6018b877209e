"""One effect's path: its readings, what is known of it, and which classes it is in (the tests are in path_tests)."""

from __future__ import annotations

from policy.rules.glob import has_magic
from policy.world import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.model import Effect, Invocation
    from policy.rules.fact import Question
    from policy.world import Status, World

DESCRIPTORS = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
"""Links into /proc that lead each process to something else: what they are here says nothing of the command."""


ONE_FILE = frozenset({"write", "append", "create", "read", "delete", "link", "mode"})
"""Effects that, where they take no folder with all that is in it, are on one file: of an empty name there would be none."""


class Place:
    """One effect's path, as far as it is known, and what has been found out about it."""

    def __init__(self, effect: Effect, invocation: Invocation, world: World, question: Question) -> None:
        self.effect, self.invocation, self.world, self.question = effect, invocation, world, question
        self.path = effect.path
        beginning = effect.value.known if effect.value is not None and effect.path is None else ""
        self.known = beginning if beginning.startswith("/") and len(beginning) > 1 else ""
        self.within = effect.within
        self.home = question.request.home or ""
        self.bases = self._bases()
        self._repository: Repository | None = None
        self._classes: dict[tuple[str, str], bool] = {}

    @property
    def local(self) -> bool:
        """Whether the world can be asked about this path."""
        return self.invocation.place == "local"

    def belongs(self, name: str) -> bool:
        """Whether the path is in a class."""
        return any(self._is(name, base) for base in self.bases)

    def fits(self, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> bool:
        """Whether one of its readings is in a wanted class (any class when none is named) and in no unwanted one."""
        for base in self.bases:  # most paths are in no wanted class, so that is looked at first
            for name in wanted:
                if self._is(name, base):
                    break
            else:
                if wanted:
                    continue
            for name in unwanted:
                if self._is(name, base):
                    break
            else:
                return True
        return False

    def _is(self, name: str, base: str) -> bool:
        """Whether one reading of the path is in a class; several rules ask for the same ones."""
        found = self._classes.get((name, base))
        if found is None:
            from policy.rules.predicates.path_tests import TESTS

            found = self._classes[name, base] = TESTS[name](self, base)
        return found

    def _bases(self) -> tuple[str, ...]:
        """The path as written, wildcards at its end taken off, and the place that it really is when a link leads elsewhere."""
        base = self.path if self.path is not None else self._beginning()
        while self.effect.glob and base != "/" and not base.rpartition("/")[2].strip("*?."):
            base, self.within = base.rpartition("/")[0] or "/", True
        written = self.effect.value.text if self.effect.value is not None else None
        if written is not None and written.endswith("/"):
            self.within = True
        if not self.local or has_magic(base) or base in DESCRIPTORS or base.startswith("/dev/fd/"):
            return (base,)
        return (base,) if (real := self._real(base)) == base else (base, real)

    def _beginning(self) -> str:
        """What stands for a path known only by its beginning: the folder that it ends in; what is in that, for an effect that takes no folder."""
        if self.known.endswith("/") and not self.effect.recursive and self.effect.kind in ONE_FILE:
            from policy.wording import UNKNOWN

            return self.known + UNKNOWN
        return self.known.rstrip("/") or "/"

    def _real(self, base: str) -> str:
        """Where the path really is: links on the way always, the last one only where the program goes through it."""
        if self.within or self.effect.kind in ("write", "append", "read", "mode"):
            return self.world.path(base).real or base
        folder, _, name = base.rpartition("/")
        if not folder:
            return base
        return (self.world.path(folder).real or folder).rstrip("/") + "/" + name

    def repository(self) -> Repository:
        """The repository that the command itself works in."""
        if self._repository is None:
            cwd = self.invocation.cwd
            self._repository = self.world.repository(cwd, {}) if cwd and self.local else Repository("none")
        return self._repository

    def grounds(self) -> list[str]:
        """The command's repository, or the folder that it works in where that is none and no home; each also by its real name."""
        cwd, root = self.invocation.cwd, self.repository().root
        ground = root or cwd
        if not ground or ground in (self.home, "/") or (not root and ground.count("/") < 2):
            return []
        real = self.world.path(ground).real if self.local else ""
        return [ground, real] if real and real != ground else [ground]

    def around(self, path: str) -> Repository:
        """The repository that a path lies in, or is the top of."""
        if not self.local:
            return Repository("none")
        if path == self.repository().root:
            return self.repository()
        return self.world.repository(path.rpartition("/")[0] or "/", {})

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        """What is uncommitted there."""
        return self.world.status(repository, untracked=untracked, ignored=ignored)


def below(path: str, folder: str) -> bool:
    """Whether a path is strictly inside a folder."""
    return path.startswith(folder + "/") if folder != "/" else path != "/"


def at_or_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it."""
    return path == folder or below(path, folder)
