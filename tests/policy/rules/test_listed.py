"""Paths against lists of paths: looked up as a look at each would say."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from policy.rules.glob import matches
from policy.rules.predicates.listed import touches

NAMES = st.from_regex(r"[ab]{1,2}(/[ab]{1,2}){0,2}/?", fullmatch=True)
INSIDE = st.just("") | st.from_regex(r"[ab*]{1,2}(/[ab*]{1,2}){0,2}", fullmatch=True)


def one(name, inside, place):
    """Whether one listed path is the one meant, lies below it, or is a folder above it."""
    one_level = place.within and place.effect.kind == "delete" and not place.effect.recursive
    walked = place.effect.value is not None and place.effect.path.endswith("/**")
    if one_level and name != inside and not walked:
        return name.rpartition("/")[0] == inside
    if not inside or name == inside or name.startswith(f"{inside}/") or inside.startswith(f"{name}/"):
        return True
    parts = name.split("/")
    whole = place.effect.recursive or place.effect.kind == "move-from"
    meant = ["/".join(parts[:end]) for end in range(1 if whole else len(parts), len(parts) + 1)]
    patterns = (inside, inside.replace("**/", ""))
    return place.effect.glob and any(matches(one, pattern) for one in meant for pattern in patterns)


WALKED = ({"path": "/r/a", "value": None}, {"path": "/r/**", "value": SimpleNamespace(quoted=True)})
"""As `find` walks a folder, and any other path."""
PLACES = st.builds(
    lambda kind, recursive, glob, within, walked: SimpleNamespace(
        effect=SimpleNamespace(kind=kind, recursive=recursive, glob=glob, **WALKED[walked]), within=within
    ),
    st.sampled_from(["delete", "write", "move-from"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=1000)
@given(st.lists(NAMES, max_size=5), INSIDE, PLACES)
def test_a_list_is_touched_where_one_of_it_is(names, inside, place):
    expected = any(one(name.rstrip("/"), inside, place) for name in names)
    assert touches(names, inside, place) is expected
    assert touches(frozenset(names), inside, place) is expected
