"""`gatepost install HOST`: register the hook in a host's settings, beside whatever stands there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from guards.install import hosts
from guards.install.change import Conflict
from guards.layout import current

if TYPE_CHECKING:
    from guards.install.change import Change
    from guards.install.registration import Registration


@click.command(epilog=f"HOST is one of: {', '.join(hosts.names())}.")
@click.argument("host", type=click.Choice(list(hosts.names())), metavar="HOST")
@click.option("--scope", default="user", help="Where: user (default), project, managed; not every host has all.")
@click.option("--dry-run", is_flag=True, help="Show the exact change to each file and make none.")
def command(host: str, scope: str, dry_run: bool) -> None:
    """Put the guard in front of an agent host.

    The settings file keeps every other byte; a dated copy of it is left beside it. Running this again changes nothing.

    \b
    gatepost install claude --dry-run
    gatepost install claude
    """  # noqa: D301
    installer = hosts.find(host)
    where = registered(host, scope)
    try:
        change = where.install()
        show(change, dry_run=dry_run)
    except Conflict as error:
        raise click.ClickException(str(error)) from None
    if not dry_run:
        click.echo(f"{host}: the hook stands in {change.path}")
        finish = getattr(installer, "finish", None)
        if finish:
            click.echo(f"  {finish(os.path.expanduser('~'), os.environ)}")
        for note in installer.NOTES:
            click.echo(f"  note: {note}")
        click.echo(f"  `gatepost doctor {host}` tries it.")


def registered(host: str, scope: str) -> Registration:
    """The host's registration in a scope; a usage error when the host has no such scope."""
    installer = hosts.find(host)
    if scope not in installer.SCOPES:
        raise click.UsageError(f"{host} has the scopes {', '.join(installer.SCOPES)}; {scope!a} is none of them")
    home = os.path.expanduser("~")
    if not os.environ.get("HOME", "/").startswith("/") or not home.startswith("/"):
        raise click.UsageError(
            "HOME is no absolute path, so this user's settings cannot be found; set it: export HOME=/home/YOU"
        )
    return hosts.registration(host, current(), home, scope, os.environ)


def show(change: Change, *, dry_run: bool) -> None:
    """Print the diff, or make the change and name the copy of the old file."""
    if dry_run:
        click.echo(change.diff() or f"{change.path}: nothing to change", nl=False)
        return
    copy = change.make()
    if copy:
        click.echo(f"the former {change.path} is kept as {copy}")
