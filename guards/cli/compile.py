"""`gatepost compile`: rules, parser tables, launchers and shims written anew from the sources."""

from __future__ import annotations

import json
import sys

import click

from guards import trust
from guards.install.deploy import compile_project, deploy
from guards.layout import Layout, current
from policy.compiled import Compiled


@click.command("compile")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of sentences.")
@click.option("--project", default="", metavar="FOLDER", help="Only the policy of the trusted project in FOLDER.")
@click.option("--if-stale", is_flag=True, help="Do nothing when no source is newer than its compiled form.")
def command(*, as_json: bool, if_stale: bool, project: str) -> None:
    """Compile rules and write launchers and shims anew.

    The hook does this by itself when a rule file is newer than its compiled form; this command shows what is wrong when it cannot.

    \b
    gatepost compile
    """  # noqa: D301
    layout = current()
    if project:
        _project(layout, project)
        return
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
                    "written": done,
                    "problems": problems,
                    "notes": notes,
                }
            )
        )
    else:
        click.echo(f"written to {layout.compiled}: {', '.join(done)}")
    sys.exit(1 if problems else 0)


def _project(layout: Layout, folder: str) -> None:
    found = trust.trusted(layout, folder)
    if found is None or found.folder != folder:
        raise click.ClickException(f"{folder}: no project file that you have trusted; see: gatepost trust --list")
    try:
        problems = compile_project(layout, found)
    except (OSError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    for problem in problems:
        click.echo(f"gatepost: left out: {problem}", err=True)
    sys.exit(1 if problems else 0)
