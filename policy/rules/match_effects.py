"""Effects and paths of one invocation against the globs of a rule: no, maybe or yes, as in policy.rules.match. On the hot path."""

from __future__ import annotations

from policy.rules.glob import any_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy.model import Effect, Invocation, Request

NO, MAYBE, YES = 0, 1, 2


def effects_of(invocation: Invocation, wanted: dict[str, Any], request: Request) -> tuple[int, tuple[Effect, ...]]:
    """The effects of the wanted kinds, narrowed by redirect, recursive and path globs."""
    kinds, globs, unwanted = wanted["kinds"], wanted.get("path"), wanted.get("not_path")
    chosen: list[Effect] = []
    sure = False
    redirect = wanted.get("redirect")
    sources = ((invocation.effects, False), (invocation.redirects, True))
    for effects, is_redirect in sources:
        if redirect is not None and redirect is not is_redirect:
            continue
        for effect in effects:
            if effect.kind not in kinds or ("recursive" in wanted and effect.recursive is not wanted["recursive"]):
                continue
            state = _path(effect, globs, unwanted, request)
            if state:
                chosen.append(effect)
                sure = sure or state == YES
    return (YES if sure else MAYBE if chosen else NO), tuple(chosen)


def _path(effect: Effect, globs: tuple[str, ...] | None, unwanted: tuple[str, ...] | None, request: Request) -> int:
    if effect.path is None:
        known = effect.value.known if effect.value is not None else ""
        if globs and effect.value is not None and effect.value.text:  # below a directory that is not known
            return YES if any_matches(effect.value.text, globs) else NO
        begins = known[:1] == "/" and not _at_home_itself(effect, known, request)
        begins = begins and any(_may_be_path(known, _at_home(p, request)) for p in globs or ())
        return (MAYBE if begins else NO) if globs else YES
    if unwanted and any_matches(effect.path, _all_at_home(unwanted, request)):
        return NO
    if globs and not any_matches(effect.path, _all_at_home(globs, request)):
        return NO
    return YES


def _at_home_itself(effect: Effect, known: str, request: Request) -> bool:
    """Whether a file of some name directly in the home is meant: which one, nothing tells (`> ~/"$NAME"`)."""
    return not effect.recursive and effect.kind not in ("move-from", "move-to") and known == f"{request.home}/"


_homed: dict[tuple[tuple[str, ...], str | None], tuple[str, ...]] = {}


def _all_at_home(patterns: tuple[str, ...], request: Request) -> tuple[str, ...]:
    key = (patterns, request.home)
    if key not in _homed:
        _homed[key] = tuple(_at_home(pattern, request) for pattern in patterns)
    return _homed[key]


def _at_home(pattern: str, request: Request) -> str:
    return (request.home or "/~") + pattern[1:] if pattern.startswith("~/") else pattern


def may_begin(known: str, pattern: str) -> bool:
    """Whether a text that begins like this may fit the pattern."""
    plain = _plain(pattern)
    return known.startswith(plain) or plain.startswith(known)


def _plain(pattern: str) -> str:
    for sign in "*?[":
        pattern = pattern.partition(sign)[0]
    return pattern


def _may_be_path(known: str, pattern: str) -> bool:
    """Whether a path that begins like this may fit. A pattern open at its front says nothing until its first name has begun (`/srv/.ssh/…`)."""
    if pattern[:1] != "*":
        return may_begin(known, pattern)
    plain = _plain(pattern.lstrip("*"))
    return plain in known or any(known.endswith(plain[:size]) for size in range(2, len(plain)))
