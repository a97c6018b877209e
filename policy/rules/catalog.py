"""Finds rule and configuration files, layer by layer, and settles what each rule says after all layers.

Layers, weakest first: built-in (shipped with us), managed (/etc/gatepost), user, and a project's `.gatepost.toml` once a person has trusted
it (until then it is met when a request comes, and may only raise: policy.project). A file of the managed or user layer that cannot be read is a problem that is told; the shipped rules stay on.
"""

from __future__ import annotations

import os
import stat

from policy.config import Config
from policy.record import Record
from policy.rules import layers, project_file, schema, translate
from policy.rules.schema import Rule, RuleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from policy.rules.layers import Found


class Sources(Record):
    """Where policy comes from: the shipped rules' folder, then (layer, folder with config.toml and rules/) from weakest to strongest.

    `project` is the path and the text of a project's file that a person has trusted; the strongest layer.
    """

    shipped: str
    layers: tuple[tuple[str, str], ...] = ()
    bin: str = ""
    project: tuple[str, str] = ("", "")


class Catalog(Record):
    """All rules by id, the merged configuration, where each of its keys came from, and what could not be used."""

    rules: Mapping[str, Found]
    config: Config
    origins: Mapping[str, str]
    problems: tuple[str, ...]
    files: tuple[str, ...]

    def changed(self) -> frozenset[str]:
        """Ids of the rules that a layer above the shipped one brought or changed."""
        return frozenset(
            name
            for name, found in self.rules.items()
            if found.layer != "built-in" or any(layer != "built-in" for layer in found.origin.values())
        )


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
        problems += _misplaced(os.path.join(folder, "rules"))
        for name, path in _own_files(os.path.join(folder, "rules"), problems):
            files += [os.path.dirname(path), path]
            _add_rule(rules, problems, name, (path, layer))
        read = _config(os.path.join(folder, "config.toml"), problems)
        if read is not None:
            config = config.over(read, layer, origins, problems)
            overrides.append((layer, read))
    if given.project[0]:
        files.append(given.project[0])
        read, own, told = project_file.read(*given.project)
        problems += told
        read.come_from(*given.project)
        for name, content, above in own:
            _add_rule(rules, problems, name, (given.project[0], "project"), Source(content, given.project[1], above))
        config = config.over(read, "project", origins, problems)
        overrides.append(("project", read))
    found = {name: layers.settled(name, rules[name], overrides, config.profile, problems) for name in sorted(rules)}
    for _, read in overrides:
        problems += layers.unknown_ids(read, found)
    return Catalog(found, config, origins, tuple(problems), tuple(dict.fromkeys(files)))


def _own_files(folder: str, problems: list[str]) -> list[tuple[str, str]]:
    """A person's rule files, none of them where a folder cannot be read, which is told."""
    if os.path.lexists(folder) and not os.path.isdir(folder):
        problems.append(f"{folder}: is no folder, or leads to none; no rule below it is in force")
    try:
        return list(rule_files(folder))
    except OSError as error:
        told = (error.strerror or str(error)).lower()
        problems.append(f"{error.filename}: {told}; no rule below {folder} is in force")
        return []


def _misplaced(folder: str) -> list[str]:
    """What to tell of files in a rules folder that nobody would read."""
    told = []
    for name in _listed(folder):
        path = os.path.join(folder, name)
        if name == "programs":
            told += [
                f"{path}/{one}: programs are described by gatepost only; this is not read" for one in _listed(path)
            ]
        elif name.endswith(".toml"):
            told.append(f"{path}: is in no pack, so it is not read; move it to {folder}/PACK/{name}")
        elif os.path.isdir(path):
            told += [
                f"{path}/{one}: is not read; a rule's file ends in .toml" for one in _listed(path) if _strange(one)
            ]
    return told


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # told by _own_files


def _strange(name: str) -> bool:
    """Whether a file in a pack looks like a rule that was misnamed: not a page, not an editor's backup, not hidden."""
    return not name.startswith(".") and not name.endswith(
        (".toml", ".md", "~", ".bak", ".swp", ".orig", ".off", ".disabled")
    )


class Source(Record):
    """A rule's table, the text that it stands in, and where there."""

    content: dict[str, Any]
    text: str
    above: tuple[str | int, ...] = ()


def read_rule(path: str, source: Source | None = None) -> Rule:
    """The rule in a file, or in a table of one; `like` another one of the shipped rules if it says so. Raises RuleError."""
    if source is None:
        text = _text(path)
        source = Source(schema.toml(text, path), text)
    content = source.content
    like = content.get("like")
    if isinstance(like, str) and like:
        base = os.path.join(shipped(), f"{like}.toml")
        if not os.path.isfile(base):
            raise RuleError(
                f"{path}: like: no shipped rule is called {like!r}{layers.near(like, dict(rule_files(shipped())))}"
            )
        content = _over(schema.toml(_text(base), base), content)
    return schema.check(content, path, Rule, source.text, source.above)


def _text(path: str) -> str:
    """A file's text. Raises RuleError for what is not there to be read, a pipe (which would be waited for) and other bytes among them."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise RuleError(f"{path}: is no plain file; nothing of it is in force")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise RuleError(f"{path}: {(error.strerror or str(error)).lower()}; nothing of it is in force") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RuleError(f"{path}:{line}: is not UTF-8; nothing of the file is in force") from error


def _over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A rule made from another: its own keys win, parameters one by one; the other's examples keep the other's parameters."""
    parameters = base.get("parameters", {})
    examples = [{**one, "parameters": {**parameters, **one.get("parameters", {})}} for one in base.get("example", [])]
    return {**base, "example": examples, **own, "parameters": {**parameters, **own.get("parameters", {})}}


def _add_rule(
    rules: dict[str, tuple[Rule, str, str]],
    problems: list[str],
    name: str,
    where: tuple[str, str],
    source: Source | None = None,
) -> None:
    """Add a rule of a layer above the shipped one; `where` is (its file, the layer)."""
    path, layer = where
    if name in rules and (rules[name][0].final or rules[name][1] != layer):
        problems.append(
            f"{path}: {name} already comes from {rules[name][1]}; change it in config.toml or choose another name"
        )
        return
    try:
        rules[name] = (read_rule(path, source), layer, path)
    except RuleError as error:
        problems.append(str(error))


def _config(path: str, problems: list[str]) -> Config | None:
    """As much of a layer's file as can be used."""
    if not os.path.lexists(path):
        return None
    try:
        text = _text(path)
        config, told = schema.read_what_fits(text, path, Config)
        config.come_from(path, text)
    except RuleError as error:
        problems.append(str(error))
        return None
    problems += told
    return config


def compiled(catalog: Catalog, known_as: dict[str, str], problems: list[str]) -> list[tuple[Any, ...]]:
    """The enabled rules as the engine reads them; `known_as` are the programs' other names.

    Raises RuleError for a shipped rule that cannot be translated; one of a person is left out and told in `problems`.
    """
    rules = []
    for found in catalog.rules.values():
        if not found.enabled:
            continue
        try:
            rules.append(translate.rule(found.id, found.rule, found.action, dict(found.parameters), known_as))
        except RuleError as error:
            if found.layer == "built-in":
                raise
            problems.append(f"{found.path}: {error}")
    return rules
