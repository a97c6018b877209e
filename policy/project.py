"""A project's own `.gatepost.toml`: it may raise shipped rules by id or pack, nothing else, because whoever made the repository wrote it.

[rules."hang/dev-server"]
decision = "deny"
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from policy.evaluate import Candidate, Case

NAME = ".gatepost.toml"
LIMIT = 65_536
HIGHEST = 40
MENDED = 65_536
"""Characters times tables of a broken file up to which the rest of it is looked for: the work grows so, and a stranger wrote it."""
STRICTER = ("advice", "ask", "deny")
"""Decisions that a project may give a shipped rule."""


def raised(case: Case, candidates: list[Candidate]) -> list[Candidate]:
    """The candidates, their rules under a stricter decision where a project at the request's directory or above it says so.

    Each file on the way up counts, the strictest for a rule: one in a folder below, or that cannot be read, takes back nothing.
    """
    for text in _texts(case):
        wanted = _read(text)
        candidates = [_raised(candidate, wanted) for candidate in candidates]
    return candidates


def _raised(candidate: Candidate, wanted: Mapping[str, str]) -> Candidate:
    from policy.evaluate import RANK

    rule = candidate.rule
    action = wanted.get(rule.id, wanted.get(rule.id.partition("/")[0], ""))
    if action not in STRICTER or RANK[action] <= RANK[rule.action]:
        return candidate
    return candidate.replace(rule=rule.replace(action=action, maybe="ask"))


def _texts(case: Case) -> Iterator[str]:
    """The files that can be read whole, the nearest first."""
    at = (case.request.cwd or "").rstrip("/")
    for _ in range(HIGHEST):
        if not at:
            return
        text = case.world.read_text(f"{at}/{NAME}", LIMIT)
        if text is not None:
            yield text
        at = at.rpartition("/")[0]


def _read(text: str) -> Mapping[str, str]:
    """Rule or pack to decision; whatever else stands there, or cannot be read, has no effect, and takes nothing else with it."""
    import tomllib

    try:
        content: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        if len(text) * (text.count("\n[") + 1) > MENDED:
            return {}
        from policy.rules import lines

        content = lines.readable(text)[0]
    found: dict[str, str] = {}
    for table in ("packs", "rules"):
        entries = content.get(table)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("decision"), str):
                found[name] = entry["decision"]
    return found
