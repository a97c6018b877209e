"""`gatepost compile`: rules, parser tables, launchers and shims written anew from the sources."""

from __future__ import annotations

import json
import sys

import click

from guards.install.deploy import deploy
from guards.layout import current
from policy.compiled import Compiled


@click.command("compile")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of sentences.")
@click.option("--if-stale", is_flag=True, help="Do nothing when no source is newer than its compiled form.")
def command(*, as_json: bool, if_stale: bool) -> None:
    """Compile rules and write launchers and shims anew.

    The hook does this by itself when a rule file is newer than its compiled form; this command shows what is wrong when it cannot.

    \b
    gatepost compile
    """  # noqa: D301
    layout = current()
    try:
        done = deploy(layout, if_stale=if_stale)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    config = Compiled.load(layout.compiled, check=False).config
    problems, notes = config["problems"], config["notes"]
    for note in notes:
        click.echo(f"gatepost: {note}", err=True)
    for problem in problems:
        click.echo(f"gatepost: left out: {problem}", err=True)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "compiled": layout.compiled,
                    "written": done.written,
                    "missing": done.missing,
                    "problems": problems,
                    "notes": notes,
                }
            )
        )
    else:
        click.echo(f"written to {layout.compiled}: {', '.join(done.written)}")
    sys.exit(1 if problems else 0)
