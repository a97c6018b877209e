"""The tests behind the path classes: one function for a class, text first, the world only where the class needs it."""

from __future__ import annotations

from policy.rules.glob import any_of, expands_to, has_magic, matches
from policy.rules.predicates import well_known as known
from policy.rules.predicates.arrivals import arrivals
from policy.rules.predicates.listed import touches
from policy.rules.predicates.places import at_or_below, below
from policy.world import EDITED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.rules.predicates.places import Place


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
        from policy.elsewhere import ROOT

        return base == ROOT
    return any(place.world.path(f"{base.rstrip('/')}/{sign}").kind != "missing" for sign in (".git", ".jj"))


def _internal(_place: Place, base: str) -> bool:
    return any(part in (".git", ".jj") for part in base.split("/"))


def _worktree(place: Place, base: str) -> bool:
    inside = bool(place.repository().root) and any(below(base, ground) for ground in place.grounds())
    return inside and not _internal(place, base)


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
    return any(touches(getattr(status, key), inside, place) for key in lists)


def _tracked(place: Place, base: str) -> bool:
    repository = place.around(base)
    if not repository.root or not at_or_below(base, repository.root):
        return False
    inside = base[len(repository.root) + 1 :]
    return touches(place.world.tracked(repository), inside, place)


def _modified(place: Place, base: str) -> bool:
    return _in_status(place, base, EDITED)


def _untracked(place: Place, base: str) -> bool:
    return _in_status(place, base, ("untracked",), untracked=True)


def _ignored(place: Place, base: str) -> bool:
    return _in_status(place, base, ("ignored",), ignored=True)


def _outside(place: Place, base: str) -> bool:
    """Neither in the command's repository or folder, nor in a temporary place. A home or / as folder makes nothing "inside"."""
    cwd = place.invocation.cwd
    if _temporary(place, base) or any(
        matches(base, _at_home(p, place)) for p in place.question.settings.get("outside_is_fine", ())
    ):
        return False
    if any(at_or_below(base, ground) for ground in place.grounds()):
        return False
    return not (
        cwd == place.home and _named_from_here(place) and place.local and place.world.path(base).kind == "missing"
    )


def _named_from_here(place: Place) -> bool:
    """The word names the path from the working directory on, not from the root or a home."""
    value = place.effect.value
    return value is not None and (value.text or "")[:1] not in ("/", "~", "")


MOST_NAMES = 5000
"""How many names of a folder a pattern is held against."""

ARRIVING = ("write", "append", "create", "link", "move-to")


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
    """Below a temporary folder; of a home that itself lies in one, nothing is."""
    for root in temporary_roots(place):
        if below(base, root) and not (
            place.home and below(place.home, root) and (at_or_below(base, place.home) or at_or_below(place.home, base))
        ):
            return True
    return False


def _temporary_root(place: Place, base: str) -> bool:
    return base in temporary_roots(place)


def _cache(place: Place, base: str) -> bool:
    """A folder that tools make anew; not the place that a link of such a name leads to."""
    return base == place.bases[0] and (
        any(part in known.CACHE or any(matches(part, p) for p in known.CACHE_GLOBS) for part in base.split("/"))
        or any_of(base, known.CACHE_PLACES, place.home)
    )


def _device(_place: Place, base: str) -> bool:
    return below(base, "/dev") and not _device_safe(_place, base)


def _device_safe(_place: Place, base: str) -> bool:
    return any_of(base, tuple(known.DEVICE_SAFE))


def _listed(patterns: tuple[str, ...]) -> Callable[[Place, str], bool]:
    return lambda place, base: _in_list(place, base, patterns)


def _in_list(place: Place, base: str, patterns: tuple[str, ...]) -> bool:
    if any_of(base, patterns, place.home):
        return True
    turned = place.effect.glob and has_magic(base)
    if not (turned or place.effect.recursive):
        return False
    listed = [_at_home(pattern, place) for pattern in patterns]
    into = _into(place, base) if place.effect.recursive else ()
    return any(
        (turned and matches(pattern, base)) or any(matches(pattern, one) for one in into) for pattern in listed
    ) or any(any_of(one.removesuffix("/*"), patterns, place.home) for one in into if one != base + "/*")


def _into(place: Place, base: str) -> tuple[str, ...]:
    """Patterns of what a recursive effect reaches: all below, or where something is put into a directory, what arrives there and is below that."""
    if place.effect.kind in ARRIVING and place.local and place.world.path(base).kind == "directory":
        names = arrivals(place.invocation, place.effect)
        if names is not None:
            return tuple(f"{base.rstrip('/')}/{name}/*" for name in names)
    return (base + "/*",)


def _credential(place: Place, base: str) -> bool:
    extra = tuple(place.question.settings.get("credentials", ()))
    return _in_list(place, base, (*known.CREDENTIAL, *extra)) and not any_of(base, tuple(known.NO_CREDENTIAL))


def _secret(_place: Place, base: str) -> bool:
    return any_of(base, tuple(known.SECRET)) and not any_of(base, tuple(known.NO_SECRET))


def _of_kind(*kinds: str) -> Callable[[Place, str], bool]:
    return lambda place, base: place.local and place.world.path(base).kind in kinds


def _missing(place: Place, base: str) -> bool:
    """Nothing stands there; a pattern that fits a file does stand for something."""
    if not place.local or place.world.path(base).kind != "missing":
        return False
    return not (place.effect.glob and has_magic(base) and (_modified(place, base) or _listed_there(place, base)))


def _listed_there(place: Place, pattern: str) -> bool:
    """Whether a folder outside holds a name that the pattern fits, or too many to look at; inside, what is not changed is no loss."""
    folder, _, last = pattern.rpartition("/")
    if has_magic(folder) or not _outside(place, folder):
        return False
    names = place.world.listdir(folder or "/", MOST_NAMES)
    return len(names) == MOST_NAMES or any(expands_to(name, last) for name in names)


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
    "missing": _missing,
    "directory": _of_kind("directory"),
    "file": _of_kind("file"),
    "symlink": _of_kind("link"),
    "unknown": lambda place, _base: place.path is None,
}
