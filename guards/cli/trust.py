"""`gatepost trust`: a person lets a project's `.gatepost.toml` say more than "stricter"."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from guards import trust
from guards.install.deploy import compile_project
from guards.layout import current
from policy.rules import project_file
from policy.rules.lines import LEFT, REST
from policy.rules.schema import RuleError

if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.trust import Project


@click.command("trust")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--list", "listing", is_flag=True, help="Show what is trusted.")
@click.option("--revoke", is_flag=True, help="Take the trust in FOLDER's file back.")
def command(folder: str | None, *, listing: bool, revoke: bool) -> None:
    """Trust the `.gatepost.toml` of the project in FOLDER (default: here or above), in its present bytes.

    Until then such a file may only make shipped rules stricter. What is trusted may loosen and bring rules of its own, for commands that run
    in its project; what is final stays. The file is shown before you are asked; as soon as a byte of it changes, the trust is gone.

    \b
    gatepost trust                 look at the file, then answer
    gatepost trust --list
    gatepost trust --revoke .
    """  # noqa: D301
    layout = current()
    if listing:
        _list(layout)
        return
    here = os.path.realpath(folder or os.getcwd())
    found = trust.project(here)
    if revoke:
        _revoke(layout, found.folder if found else here)
        return
    if found is None:
        raise click.ClickException(f"no .gatepost.toml in {here} or above it that can be read (64 KiB at most)")
    _give(layout, found)


def _list(layout: Layout) -> None:
    entries = trust.listed(layout)
    for one in entries:
        now = trust.project(one.folder)
        holds = now is not None and now.mark == one.mark
        since = time.strftime("%Y-%m-%d", time.localtime(one.since))
        click.echo(
            f"{_shown(one.folder)}  since {since}{'' if holds else '  (the file has changed or is gone: not in force)'}"
        )
    if not entries:
        click.echo("nothing is trusted")


def _revoke(layout: Layout, folder: str) -> None:
    if not trust.revoke(layout, folder):
        raise click.ClickException(f"{_shown(folder)} is not trusted; see: gatepost trust --list")
    click.echo(f"{_shown(folder)}: no longer trusted; its file may only make shipped rules stricter")


def _give(layout: Layout, found: Project) -> None:
    if trust.state(layout, found) == "trusted":
        click.echo(f"{_shown(found.path)} is trusted already, in these bytes")
        return
    try:
        text = found.content.decode("utf-8")
        _, _, problems = project_file.read(found.path, text)
    except (RuleError, UnicodeDecodeError) as error:
        raise click.ClickException(f"not trusted, because it cannot be used: {error}") from None
    if problems:
        faults = (problem.removesuffix(REST).removesuffix(LEFT).removesuffix(";") for problem in problems)
        raise click.ClickException("not trusted, mend this first:\n" + "\n".join(faults))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.ClickException("only a person at a terminal can trust a project's file")
    click.echo(f"{_shown(found.path)} says:\n")
    for line in text.splitlines():
        click.echo("    " + "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line))
    if not click.confirm("\nLet it change what the guard says about commands that run in this project?"):
        raise click.ClickException("not trusted")
    try:
        trust.give(layout, found)
        problems = list(compile_project(layout, found))
    except (OSError, RuleError) as error:
        trust.revoke(layout, found.folder)
        raise click.ClickException(f"not trusted: {error}") from None
    for problem in problems:
        click.echo(f"gatepost: left out: {problem}", err=True)
    click.echo(f"trusted: {_shown(found.path)}, until a byte of it changes")


def _shown(path: str) -> str:
    """A path that cannot steer a terminal."""
    return path if path.isprintable() else ascii(path)
