"""What a rule says after all layers: changes by id and by pack, the weakest layer first, and what may not be changed."""

from __future__ import annotations

import difflib

from policy.config import LOOSEST_FIRST
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from policy.config import Config, Override
    from policy.rules.schema import Rule


class Found(Record):
    """One rule after all layers: `origin` tells for each changed key which layer decided it."""

    id: str
    rule: Rule
    layer: str
    path: str
    action: str
    enabled: bool
    parameters: Mapping[str, Any]
    origin: Mapping[str, str]


def settled(
    name: str, file: tuple[Rule, str, str], layers: list[tuple[str, Config]], profile: str, problems: list[str]
) -> Found:
    rule, layer, path = file
    action = rule.strict if profile == "strict" and rule.strict else rule.decision
    enabled = (rule.maturity == "stable" or profile == "strict") and (not rule.profiles or profile in rule.profiles)
    found = Found(name, rule, layer, path, action, enabled, dict(rule.parameters), {"decision": layer})
    final = rule.final
    for above, config in layers:
        for override in config.overrides(name):
            if final and _loosens(override, found):
                problems.append(
                    f"{config.at('rules', name)}: {name} is final and may not be loosened; this change is left out"
                )
            else:
                whole_pack = override is config.packs.get(name.partition("/")[0])
                found = _changed(found, _fitting(override, found, config, problems, whole_pack=whole_pack), above)
        final = final or config.finishes(name)
    return found.replace(rule=rule.model_copy(update={"final": final}))


def _fitting(override: Override, found: Found, config: Config, problems: list[str], *, whole_pack: bool) -> Override:
    """The change without parameters that the rule does not have, or that are of another kind than its own."""
    kept = {}
    for key, value in override.parameters.items():
        table = ("packs", found.id.partition("/")[0]) if whole_pack else ("rules", found.id)
        place = f"{config.at(*table, 'parameters', key)}: {found.id}: parameters.{key}"
        known = found.rule.parameters
        if key not in known:
            problems += [] if whole_pack else [f"{place}: no such parameter{near(key, known) or _has(known)}; left out"]
            continue
        given = [value] if isinstance(known[key], list) and isinstance(value, str) else value
        if type(given) is not type(known[key]):
            problems.append(f"{place}: must be like {known[key]!r}, not {value!r}; left out")
            continue
        kept[key] = given
    return override.model_copy(update={"parameters": kept})


def _has(known: Mapping[str, Any]) -> str:
    return f"; it has {', '.join(known)}" if known else "; it has none"


def _changed(found: Found, override: Override, layer: str) -> Found:
    origin = dict(found.origin)
    origin.update({key: layer for key in ("decision", "enabled") if getattr(override, key) is not None})
    origin.update({f"parameters.{key}": layer for key in override.parameters})
    return found.replace(
        action=override.decision or found.action,
        enabled=found.enabled if override.enabled is None else override.enabled,
        parameters={**found.parameters, **override.parameters},
        origin=origin,
    )


def _loosens(override: Override, found: Found) -> bool:
    weaker = override.decision and LOOSEST_FIRST.index(override.decision) < LOOSEST_FIRST.index(found.action)
    return bool(weaker or (override.enabled is False and found.enabled) or override.parameters)


def unknown_ids(config: Config, found: Mapping[str, Found]) -> list[str]:
    """What to tell of changes to rules, packs and packs' parameters that are not there."""
    known = {*found, *ISSUES}
    packs = {name.partition("/")[0] for name in known}
    problems = [
        f"{config.at('rules', name)}: no rule is called {name!r}{near(name, known)}"
        for name in config.rules
        if name not in known
    ]
    problems += [
        f"{config.at('packs', name)}: no pack is called {name!r}{near(name, packs)}"
        for name in config.packs
        if name not in packs
    ]
    for pack, override in config.packs.items():
        has = {key for name, one in found.items() if name.startswith(f"{pack}/") for key in one.rule.parameters}
        problems += [
            f"{config.at('packs', pack, 'parameters', key)}: packs.{pack}: no rule in it has a parameter {key!r}{near(key, has)}"
            for key in override.parameters
            if key not in has
        ]
    return problems


ISSUES = {
    "shell/unparsed": "text that cannot be read for sure, or that shells read differently",
    "shell/too-large": "more text, commands or code than is followed",
    "shell/too-deep": "commands inside commands, or constructs inside constructs, beyond what is followed",
    "shell/unknown-program": "a program whose name is not known, where it could be one that rules speak of",
    "world/unknown": "a question about files or a repository that could not be answered",
    "gatepost/error": "a failure of the guard's own",
}
"""Ids of findings that no rule file makes: what could not be read or decided. Their decision is configured like a rule's; default ask."""


def near(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""
