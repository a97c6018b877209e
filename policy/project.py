"""A project's own `.gatepost.toml`: it may raise shipped rules by id or pack, nothing else, because whoever made the repository wrote it.

[rules."hang/dev-server"]
decision = "deny"
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from policy.evaluate import Candidate, Case

NAME = ".gatepost.toml"
LIMIT = 65_536
HIGHEST = 40


def raised(case: Case, candidates: list[Candidate]) -> list[Candidate]:
    """The candidates, their rules under a stricter decision where the project at the request's directory or above it says so."""
    text = _text(case)
    if text is None:
        return candidates
    from policy.evaluate import RANK

    wanted = _read(text)
    changed = []
    for candidate in candidates:
        rule = candidate.rule
        action = wanted.get(rule.id, wanted.get(rule.id.partition("/")[0], ""))
        stricter = RANK.get(action, -1) > RANK[rule.action] and action in ("advice", "ask", "deny")
        changed.append(candidate.replace(rule=rule.replace(action=action, maybe="ask")) if stricter else candidate)
    return changed


def _text(case: Case) -> str | None:
    at = (case.request.cwd or "").rstrip("/")
    for _ in range(HIGHEST):
        if not at:
            return None
        text = case.world.read_text(f"{at}/{NAME}", LIMIT)
        if text is not None:
            return text
        at = at.rpartition("/")[0]
    return None


def _read(text: str) -> Mapping[str, str]:
    """Rule or pack to decision; whatever else stands there, or cannot be read, has no effect."""
    import tomllib

    try:
        content: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}
    found: dict[str, str] = {}
    for table in ("packs", "rules"):
        entries = content.get(table)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if isinstance(entry, dict) and isinstance(entry.get("decision"), str):
                found[name] = entry["decision"]
    return found
