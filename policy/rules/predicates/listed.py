"""Whether a path is one of many listed ones, above or below one: looked up, so that a long script in a large repository asks cheaply."""

from __future__ import annotations

from policy.rules.glob import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from policy.rules.predicates.places import Place


def touches(names: Collection[str], inside: str, place: Place) -> bool:
    """Whether one of the names (relative to a root; a folder's may end in /) is the path meant, lies below it, or is a folder above it."""
    if not names:
        return False
    listed, folders = _reach(names)
    if place.effect.glob:
        return any(_overlaps(name, inside, place) for name in listed)
    if _files_only(place):
        return inside in listed or any(name.rpartition("/")[0] == inside for name in listed)
    if not inside or inside in listed or inside in folders:
        return True
    while inside := inside.rpartition("/")[0]:
        if inside in listed:
            return True
    return False


_known: dict[int, tuple[Collection[str], dict[str, None], set[str]]] = {}
"""What was made of a list, by its identity: the world gives the same one for the same question."""


def _reach(names: Collection[str]) -> tuple[dict[str, None], set[str]]:
    """The names, and all folders above them."""
    known = _known.get(id(names))
    if known is None or known[0] is not names:
        if len(_known) > 64:
            _known.clear()
        listed = dict.fromkeys([name.rstrip("/") for name in names])
        folders: set[str] = set()
        for name in listed:
            above = name.rpartition("/")[0]
            while above and above not in folders:
                folders.add(above)
                above = above.rpartition("/")[0]
        known = _known[id(names)] = names, listed, folders
    return known[1], known[2]


def _files_only(place: Place) -> bool:
    """The files of a folder are meant, and what lies deeper is not."""
    return place.within and place.effect.kind == "delete" and not place.effect.recursive and not _walked(place)


def _overlaps(name: str, inside: str, place: Place) -> bool:
    if _files_only(place) and name != inside:
        return name.rpartition("/")[0] == inside
    if not inside or name == inside or name.startswith(f"{inside}/") or inside.startswith(f"{name}/"):
        return True
    patterns = (inside, inside.replace("**/", "")) if "**/" in inside else (inside,)
    return any(matches(one, pattern) for one in (name, *_above(name, place)) for pattern in patterns)


def _above(name: str, place: Place) -> list[str]:
    """The folders that a listed path lies in, where the effect takes whole folders with all in them."""
    if not place.effect.recursive and place.effect.kind != "move-from":
        return []
    parts = name.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _walked(place: Place) -> bool:
    """Whether the path stands for everything that `find` comes across below a folder, however deep."""
    value = place.effect.value
    return value is not None and value.quoted and (place.effect.path or "").endswith("/**")
