"""`gatepost parse`: how a shell text is read."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from policy import shell
from policy.record import Record
from policy.wording import quote


@click.command()
@click.argument("text", metavar="TEXT|-")
@click.option("--dialect", default="bash", show_default=True, help="bash, sh, zsh or unknown.")
@click.option("--json", "as_json", is_flag=True, help="The whole Script as one JSON object.")
def command(text: str, dialect: str, *, as_json: bool) -> None:
    """Show every simple command of a shell text, at any depth, in source order. Nothing is run.

    \b
    gatepost parse 'for f in *; do rm "$f"; done'
    gatepost parse --json - < script.sh
    """  # noqa: D301
    source = sys.stdin.read() if text == "-" else text
    try:
        script = shell.parse(source, dialect)
    except shell.Unparsed as error:
        raise click.ClickException(f"this cannot be read: {error}") from None
    if as_json:
        click.echo(json.dumps(_plain(script)))
        return
    for number, found in enumerate(script.commands, 1):
        words = " ".join(quote(word.value if word.value is not None else word.raw, 80) for word in found.words)
        around = "".join(f" in {frame.kind}" for frame in found.context)
        assigned = "".join(f"{assignment.name}=… " for assignment in found.assignments)
        onto = "".join(f" {redirect.operator}" for redirect in found.redirects)
        click.echo(f"{number:>3}. {assigned}{words}{onto}{around}")


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return {name: _plain(part) for name, part in value.as_dict().items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
