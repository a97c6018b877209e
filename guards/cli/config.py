"""`gatepost config`: what is configured, where each part comes from, and changes to the person's own file."""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from typing import Any

import click
import tomli_w

from guards import trust
from guards.layout import current
from policy.config import Config
from policy.rules import catalog
from policy.rules.schema import RuleError

STATES = {
    "untrusted": "is not trusted: it may only make shipped rules stricter; to let it do more: gatepost trust",
    "changed": "has changed since it was trusted: it may only make shipped rules stricter; to trust it again: gatepost trust",
}


@click.group()
def command() -> None:
    """Show and change the configuration.

    \b
    gatepost config show --origin
    gatepost config set profile strict
    gatepost config set 'rules."hang/dev-server".enabled' false
    """  # noqa: D301


@command.command()
@click.option("--origin", is_flag=True, help="Say which layer each value comes from.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(*, origin: bool, as_json: bool) -> None:
    """Show the configuration after all layers, and the rules that a layer changed.

    \b
    gatepost config show --origin
    """  # noqa: D301
    layout = current()
    project = trust.project(os.getcwd())
    state = trust.state(layout, project) if project else ""
    sources = catalog.sources(layout.managed, layout.config, layout.bin)
    if project and state == "trusted":
        sources = sources.replace(project=(project.path, project.content.decode("utf-8", "replace")))
    try:
        found = catalog.load(sources)
    except RuleError as error:
        raise click.ClickException(str(error)) from None
    values = _flat(found.config.model_dump(exclude={"rules", "packs"}))
    rows = {key: (value, found.origins.get(key, "built-in")) for key, value in values.items()}
    for rule in found.rules.values():
        for key, layer in rule.origin.items():
            if layer != rule.layer:
                value = rule.parameters.get(
                    key.removeprefix("parameters."), {"decision": rule.action, "enabled": rule.enabled}.get(key)
                )
                rows[f'rules."{rule.id}".{key}'] = (value, layer)
    if as_json:
        click.echo(json.dumps({key: {"value": value, "origin": layer} for key, (value, layer) in rows.items()}))
    else:
        for key, (value, layer) in rows.items():
            click.echo(f"{key} = {json.dumps(value)}" + (f"    # {layer}" if origin else ""))
    for problem in found.problems:
        click.echo(f"gatepost: {problem}", err=True)
    if project and state != "trusted":
        click.echo(f"gatepost: {ascii(project.path)[1:-1]} {STATES[state]}", err=True)


def _flat(table: dict[str, Any], above: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and value:
            flat.update(_flat(value, f"{name}."))
        else:
            flat[name] = value
    return flat


@command.command("set")
@click.argument("key")
@click.argument("value")
def set_(key: str, value: str) -> None:
    """Set KEY (dotted, ids in double quotes) to VALUE (a TOML value, or a bare word) in your own config.toml.

    A file that cannot be read, or that holds comments (which would be lost), is not touched: then edit it by hand.

    \b
    gatepost config set 'packs.hang.decision' advice
    """  # noqa: D301
    path = os.path.join(current().config, "config.toml")
    content, comments = _present(path)
    if comments:
        raise click.ClickException(
            f"{path} holds comments, which writing it would lose; put this in by hand: {_line(key, value)}"
        )
    table = content
    parts = _parts(key)
    for part in parts[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise click.ClickException(f"{path}: {part} is a value, no table")
    table[parts[-1]] = _value(value)
    text = tomli_w.dumps(content)
    try:
        Config.parse(text, path)
    except RuleError as error:
        raise click.ClickException(f"not written: {error}") from None
    _write(path, text)
    click.echo(f"{path}: {_line(key, value)}")


def _present(path: str) -> tuple[dict[str, Any], bool]:
    """The file's content, and whether it holds comments. One that cannot be read ends the command."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        return {}, False
    try:
        Config.parse(text, path)
        content = tomllib.loads(text)
    except RuleError as error:
        raise click.ClickException(f"not touched, because it cannot be read: {error}") from None
    return content, any("#" in line for line in text.splitlines())


def _parts(key: str) -> list[str]:
    """A dotted key as TOML reads it."""
    try:
        table: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{key!r} is no key: {error}") from None
    parts = []
    while isinstance(table, dict):
        ((part, table),) = table.items()
        parts.append(part)
    return parts


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


def _line(key: str, value: str) -> str:
    return f"{key} = {json.dumps(_value(value))}"


def _write(path: str, text: str) -> None:
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(prefix=".config.", dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
