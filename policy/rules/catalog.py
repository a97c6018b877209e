"""Finds rule and configuration files, layer by layer, and settles what each rule says after all layers.

Layers, weakest first: built-in (shipped with us), managed (/etc/gatepost), user. A project's `.gatepost.toml` is met when a request comes
(policy.project). A file of the managed or user layer that cannot be read is a problem that is told; the shipped rules stay on.
"""

from __future__ import annotations

import difflib
import os

from policy.config import ACTIONS_BY_STRICTNESS, Config, Override
from policy.record import Record
from policy.rules import schema, translate
from policy.rules.schema import Rule, RuleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


class Sources(Record):
    """Where policy comes from: the shipped rules' folder, then (layer, folder with config.toml and rules/) from weakest to strongest."""

    shipped: str
    layers: tuple[tuple[str, str], ...] = ()
    bin: str = ""


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


class Catalog(Record):
    """All rules by id, the merged configuration, where each of its keys came from, and what could not be used."""

    rules: Mapping[str, Found]
    config: Config
    origins: Mapping[str, str]
    problems: tuple[str, ...]
    files: tuple[str, ...]


def shipped() -> str:
    """The folder of the rules that ship with us: beside the packages in a checkout, inside `policy` in a wheel."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "shipped")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(os.path.dirname(here)), "rules")


def sources(managed: str, config: str, bin: str = "") -> Sources:  # noqa: A002
    """The usual layers: shipped, then the managed folder, then the user's."""
    return Sources(shipped(), (("managed", managed), ("user", config)), bin)


def rule_files(folder: str) -> Iterator[tuple[str, str]]:
    """(id, path) of every rule file in a rules folder, sorted; grammars in programs/ are none."""
    if not os.path.isdir(folder):
        return
    for pack in sorted(os.listdir(folder)):
        inside = os.path.join(folder, pack)
        if pack == "programs" or not os.path.isdir(inside):
            continue
        for name in sorted(os.listdir(inside)):
            if name.endswith(".toml"):
                yield f"{pack}/{name.removesuffix('.toml')}", os.path.join(inside, name)


def load(given: Sources) -> Catalog:
    """Everything read and merged. Raises RuleError only for a shipped file."""
    rules: dict[str, tuple[Rule, str, str]] = {}
    problems: list[str] = []
    files: list[str] = [given.shipped]
    installed = given.shipped.endswith(
        f"{os.sep}shipped"
    )  # files of an installation are replaced with it, never changed in place
    for name, path in rule_files(given.shipped):
        rules[name] = (read_rule(path), "built-in", path)
        files += [os.path.dirname(path)] if installed else [os.path.dirname(path), path]
    config, origins = Config(), dict[str, str]()
    overrides: list[tuple[str, Config]] = []
    for layer, folder in given.layers:
        files += [os.path.join(folder, "config.toml"), os.path.join(folder, "rules")]
        for name, path in rule_files(os.path.join(folder, "rules")):
            files += [os.path.dirname(path), path]
            _add_rule(rules, problems, name, path, layer)
        read = _config(os.path.join(folder, "config.toml"), problems)
        if read is not None:
            config = config.over(read, layer, origins, problems)
            overrides.append((layer, read))
    found = {name: _settled(name, rules[name], overrides, config.profile, problems) for name in sorted(rules)}
    for layer, read in overrides:
        problems += _unknown_ids(layer, read, found)
    return Catalog(found, config, origins, tuple(problems), tuple(dict.fromkeys(files)))


def read_rule(path: str) -> Rule:
    """One rule file, `like` another one of the shipped rules if it says so; raises RuleError."""
    content = _content(path)
    like = content.get("like")
    if isinstance(like, str) and like:
        content = _over(_content(os.path.join(shipped(), f"{like}.toml")), content)
    return schema.check(content, path, Rule)


def _content(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            return schema.toml(file.read(), path)
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: {error}") from error


def _over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A rule made from another: its own keys win, parameters one by one; the other's examples keep the other's parameters."""
    parameters = base.get("parameters", {})
    examples = [{**one, "parameters": {**parameters, **one.get("parameters", {})}} for one in base.get("example", [])]
    return {**base, "example": examples, **own, "parameters": {**parameters, **own.get("parameters", {})}}


def _add_rule(rules: dict[str, tuple[Rule, str, str]], problems: list[str], name: str, path: str, layer: str) -> None:
    if name in rules and (rules[name][0].final or rules[name][1] != layer):
        problems.append(
            f"{path}: {name} already comes from {rules[name][1]}; change it in config.toml or choose another name"
        )
        return
    try:
        rules[name] = (read_rule(path), layer, path)
    except RuleError as error:
        problems.append(str(error))


def _config(path: str, problems: list[str]) -> Config | None:
    try:
        return Config.read(path)
    except FileNotFoundError:
        return None
    except (RuleError, OSError) as error:
        problems.append(str(error))
        return None


def _settled(
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
                problems.append(f"{above}: {name} is final and may not be loosened; this change is left out")
            else:
                found = _changed(found, override, above)
        final = final or config.finishes(name)
    return found.replace(rule=rule.model_copy(update={"final": final}))


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
    weaker = override.decision and ACTIONS_BY_STRICTNESS.index(override.decision) < ACTIONS_BY_STRICTNESS.index(
        found.action
    )
    return bool(weaker or (override.enabled is False and found.enabled) or override.parameters)


def _unknown_ids(layer: str, config: Config, found: Mapping[str, Found]) -> list[str]:
    known = {*found, *ISSUES}
    packs = {name.partition("/")[0] for name in known}
    problems = []
    for kind, names, among in (("rule", config.rules, known), ("pack", config.packs, packs)):
        for name in names:
            if name not in among:
                near = difflib.get_close_matches(name, among, 1)
                problems.append(
                    f"{layer} config.toml: no {kind} is called {name!r}"
                    + (f"; did you mean {near[0]!r}?" if near else "")
                )
    return problems


ISSUES = (
    "shell/unparsed",
    "shell/too-large",
    "shell/too-deep",
    "shell/unknown-program",
    "world/unknown",
    "gatepost/error",
)
"""Ids of findings that no rule file makes: what could not be read or decided. Their decision is configured like a rule's; default ask."""


def compiled(catalog: Catalog, known_as: dict[str, str]) -> list[tuple[Any, ...]]:
    """The enabled rules as the engine reads them; `known_as` are the programs' other names."""
    return [
        translate.rule(found.id, found.rule, found.action, dict(found.parameters), known_as)
        for found in catalog.rules.values()
        if found.enabled
    ]
