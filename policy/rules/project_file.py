"""A project's `.gatepost.toml` as a layer of its own, for one whose bytes a person has trusted.

profile = "strict"                      # or "standard"
[rules."hang/dev-server"]               # shipped rules and packs, as in config.toml
enabled = false
[rule."team/deploy"]                    # rules of its own: the keys of a rule file
summary = "…"
"""

# ruff: noqa: RUF012  -- pydantic gives every instance a copy of a default
from __future__ import annotations

from typing import Any, Literal

from policy.config import Config, Override, Settings
from policy.rules.schema import Strict, read_what_fits

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


class ProjectFile(Strict):
    """What may stand in it. Limits, hosts and what is final are the machine's and the person's own affair."""

    profile: Literal["standard", "strict"] | None = None
    settings: Settings = Settings()
    rules: dict[str, Override] = {}
    packs: dict[str, Override] = {}
    rule: dict[str, dict[str, Any]] = {}


def read(path: str, text: str) -> tuple[Config, list[tuple[str, dict[str, Any], tuple[str | int, ...]]], list[str]]:
    """(the changes to shipped rules and settings, own rules as (id, table, its place in the text), what could not be used)."""
    given, told = read_what_fits(text, path, ProjectFile)
    problems = list(told)
    own: list[tuple[str, dict[str, Any], tuple[str | int, ...]]] = []
    for name, content in given.rule.items():
        pack, slash, rest = name.partition("/")
        if slash and pack and rest and set(pack + rest) <= PLAIN:
            own.append((name, content, ("rule", name)))
        else:
            problems.append(f"{path}: rule.{name}: a rule's name is PACK/RULE in small letters, digits and dashes")
    if "attestation" in given.settings.model_fields_set:
        problems.append(
            f"{path}: settings.attestation: only your own configuration names a command that is run; left out"
        )
        given = given.model_copy(update={"settings": _without(given.settings, "attestation")})
    changes: dict[str, Any] = {
        key: getattr(given, key) for key in ("settings", "rules", "packs") if key in given.model_fields_set
    }
    if given.profile:
        changes["profile"] = given.profile
    return Config.model_validate(changes), own, problems


def _without(settings: Settings, key: str) -> Settings:
    """The settings that were given but for one."""
    return Settings.model_validate({name: getattr(settings, name) for name in settings.model_fields_set if name != key})
