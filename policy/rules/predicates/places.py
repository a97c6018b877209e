"""The tests behind the path classes: one function for a class, text first, the world only where the class needs it."""

from __future__ import annotations

from policy.rules.glob import has_magic, matches
from policy.rules.predicates import well_known as known
from policy.world import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.model import Effect, Invocation
    from policy.rules.fact import Question
    from policy.world import Status, World


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

    @property
    def local(self) -> bool:
        """Whether the world can be asked about this path."""
        return self.invocation.place == "local"

    def belongs(self, name: str) -> bool:
        """Whether the path is in a class."""
        return any(TESTS[name](self, base) for base in self.bases)

    def _bases(self) -> tuple[str, ...]:
        """The path as written, wildcards at its end taken off, and the place that it really is when a link leads elsewhere."""
        base = self.path if self.path is not None else self.known.rstrip("/") or "/"
        while self.effect.glob and base != "/" and not base.rpartition("/")[2].strip("*?."):
            base, self.within = base.rpartition("/")[0] or "/", True
        written = self.effect.value.text if self.effect.value is not None else None
        if written is not None and written.endswith("/"):
            self.within = True
        if not self.local or has_magic(base):
            return (base,)
        return (base,) if (real := self._real(base)) == base else (base, real)

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

    def around(self, path: str) -> Repository:
        """The repository that a path lies in."""
        return self.world.repository(path.rpartition("/")[0] or "/", {}) if self.local else Repository("none")

    def status(self, repository: Repository, *, untracked: bool = False, ignored: bool = False) -> Status:
        """What is uncommitted there."""
        return self.world.status(repository, untracked=untracked, ignored=ignored)


def below(path: str, folder: str) -> bool:
    """Whether a path is strictly inside a folder."""
    return path.startswith(folder + "/") if folder != "/" else path != "/"


def at_or_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it."""
    return path == folder or below(path, folder)


def _root(_place: Place, base: str) -> bool:
    return base == "/"


def _home(place: Place, base: str) -> bool:
    folder, _, name = base.rpartition("/")
    return bool(place.home and base == place.home) or base in known.ROOT_HOMES or (folder in known.HOMES and bool(name))


def _home_of(place: Place, base: str) -> str:
    if place.home and below(base, place.home):
        return place.home
    return next(
        (f"{top}/{base[len(top) + 1 :].split('/', maxsplit=1)[0]}" for top in known.HOMES if below(base, top)), ""
    )


def _home_entry(place: Place, base: str) -> bool:
    home = _home_of(place, base)
    return bool(home) and base.rpartition("/")[0] == home and not base.rpartition("/")[2].startswith(".")


def _home_hidden(place: Place, base: str) -> bool:
    home = _home_of(place, base)
    return bool(home) and base.rpartition("/")[0] == home and base.rpartition("/")[2].startswith(".")


def _system(place: Place, base: str) -> bool:
    if base == "/" or _temporary(place, base) or (place.home and at_or_below(base, place.home)):
        return False
    top = "/" + base[1:].partition("/")[0]
    if base == top:
        return top in known.SYSTEM or top in known.TOPS
    return (
        top in known.SYSTEM
        and not any(at_or_below(base, free) for free in known.NOT_SYSTEM)
        and not _own_ground(place, base)
    )


def _own_ground(place: Place, base: str) -> bool:
    """Below the command's own repository: a checkout in /opt or /srv is nobody's system."""
    root = place.repository().root
    return bool(root) and root.count("/") > 1 and below(base, root)


def _cwd(place: Place, base: str) -> bool:
    return place.invocation.cwd is not None and at_or_below(place.invocation.cwd, base)


def _repository_root(place: Place, base: str) -> bool:
    if not place.local:
        return False
    return any(place.world.path(f"{base.rstrip('/')}/{sign}").kind != "missing" for sign in (".git", ".jj"))


def _internal(_place: Place, base: str) -> bool:
    return any(part in (".git", ".jj") for part in base.split("/"))


def _worktree(place: Place, base: str) -> bool:
    root = place.repository().root
    return bool(root) and below(base, root) and not _internal(place, base)


def _other_repository(place: Place, base: str) -> bool:
    root = place.around(base).root
    return bool(root) and root != place.repository().root and root != place.home


def _in_status(
    place: Place, base: str, lists: tuple[str, ...], *, untracked: bool = False, ignored: bool = False
) -> bool:
    repository = place.around(base)
    if not repository.root or not at_or_below(base, repository.root):
        return False
    status = place.status(repository, untracked=untracked, ignored=ignored)
    inside = base[len(repository.root) + 1 :]
    found = (name for key in lists for name in getattr(status, key))
    return any(_overlaps(name.rstrip("/"), inside, place) for name in found)


def _overlaps(name: str, inside: str, place: Place) -> bool:
    """Whether a listed path is the one meant, lies below it, or is a listed folder above it."""
    if not inside or at_or_below(name, inside) or below(inside, name):
        return True
    return place.effect.glob and matches(name, inside)


def _tracked(place: Place, base: str) -> bool:
    repository = place.around(base)
    if not repository.root or not at_or_below(base, repository.root):
        return False
    inside = base[len(repository.root) + 1 :]
    return any(_overlaps(name, inside, place) for name in place.world.tracked(repository))


def _modified(place: Place, base: str) -> bool:
    return _in_status(place, base, ("modified", "staged", "staged_and_modified", "unmerged", "intent_to_add"))


def _untracked(place: Place, base: str) -> bool:
    return _in_status(place, base, ("untracked",), untracked=True)


def _ignored(place: Place, base: str) -> bool:
    return _in_status(place, base, ("ignored",), ignored=True)


def _outside(place: Place, base: str) -> bool:
    """Neither in the command's repository or folder, nor in a temporary place. A home or / as folder makes nothing "inside"."""
    cwd, root = place.invocation.cwd, place.repository().root
    if _temporary(place, base) or any(
        matches(base, _at_home(p, place)) for p in place.question.settings.get("outside_is_fine", ())
    ):
        return False
    if root and root != place.home and at_or_below(base, root):
        return False
    if (
        cwd
        and cwd == place.home
        and _named_from_here(place)
        and place.local
        and place.world.path(base).kind == "missing"
    ):
        return False
    return not (cwd and not root and cwd != place.home and cwd.count("/") > 1 and below(base, cwd))


def _named_from_here(place: Place) -> bool:
    """The word names the path from the working directory on, not from the root or a home."""
    value = place.effect.value
    return value is not None and (value.text or "")[:1] not in ("/", "~", "")


def _at_home(pattern: str, place: Place) -> str:
    return place.home + pattern[1:] if pattern.startswith("~") else pattern


def temporary_roots(place: Place) -> list[str]:
    """Temporary folders: the usual ones, configured ones, and $TMPDIR when it really looks like one."""
    roots = [*known.TEMPORARY, *place.question.settings.get("temporary", ())]
    mine = place.question.request.environment.get("TMPDIR", "").rstrip("/")
    if (
        mine.startswith("/")
        and any(part.casefold() in known.TEMPORARY_NAMES for part in mine.split("/"))
        and not at_or_below(place.home, mine)
    ):
        roots.append(mine)
    return roots


def _temporary(place: Place, base: str) -> bool:
    return any(below(base, root) for root in temporary_roots(place)) and not (
        place.home and at_or_below(place.home, base)
    )


def _temporary_root(place: Place, base: str) -> bool:
    return base in temporary_roots(place)


def _cache(_place: Place, base: str) -> bool:
    return any(part in known.CACHE or any(matches(part, p) for p in known.CACHE_GLOBS) for part in base.split("/"))


def _device(_place: Place, base: str) -> bool:
    return below(base, "/dev") and not _device_safe(_place, base)


def _device_safe(_place: Place, base: str) -> bool:
    return any(matches(base, pattern) for pattern in known.DEVICE_SAFE)


def _listed(patterns: tuple[str, ...]) -> Callable[[Place, str], bool]:
    def test(place: Place, base: str) -> bool:
        return any(_fits(base, _at_home(pattern, place), place) for pattern in patterns)

    return test


def _fits(base: str, pattern: str, place: Place) -> bool:
    if matches(base, pattern):
        return True
    return (place.effect.glob and has_magic(base) and matches(pattern, base)) or (
        place.effect.recursive and matches(pattern, base + "/*")
    )


def _credential(place: Place, base: str) -> bool:
    extra = tuple(place.question.settings.get("credentials", ()))
    return _listed((*known.CREDENTIAL, *extra))(place, base) and not any(matches(base, p) for p in known.NO_CREDENTIAL)


def _secret(_place: Place, base: str) -> bool:
    return any(matches(base, p) for p in known.SECRET) and not any(matches(base, p) for p in known.NO_SECRET)


def _of_kind(*kinds: str) -> Callable[[Place, str], bool]:
    return lambda place, base: place.local and place.world.path(base).kind in kinds


TESTS: dict[str, Callable[[Place, str], bool]] = {
    "root": _root,
    "system": _system,
    "home": _home,
    "home-entry": _home_entry,
    "home-hidden": _home_hidden,
    "repository-root": _repository_root,
    "repository-internal": _internal,
    "worktree": _worktree,
    "other-repository": _other_repository,
    "tracked": _tracked,
    "modified": _modified,
    "untracked": _untracked,
    "ignored": _ignored,
    "outside": _outside,
    "cwd": _cwd,
    "temporary": _temporary,
    "temporary-root": _temporary_root,
    "cache": _cache,
    "device": _device,
    "device-safe": _device_safe,
    "credential": _credential,
    "secret": _secret,
    "shell-startup": _listed(known.SHELL_STARTUP),
    "agent-settings": _listed(known.AGENT_SETTINGS),
    "guard": _listed(known.GUARD),
    "missing": _of_kind("missing"),
    "directory": _of_kind("directory"),
    "file": _of_kind("file"),
    "symlink": _of_kind("link"),
    "unknown": lambda place, _base: place.path is None,
}
