"""`gatepost uninstall HOST`: take our entry, and nothing else, out of a host's settings."""

from __future__ import annotations

import click

from guards.cli.install import registered, show
from guards.install import hosts
from guards.install.change import Conflict


@click.command(epilog=f"HOST is one of: {', '.join(hosts.names())}.")
@click.argument("host", type=click.Choice(list(hosts.names())), metavar="HOST")
@click.option("--scope", default="user", help="Where: user (default), project, managed; not every host has all.")
@click.option("--dry-run", is_flag=True, help="Show the exact change to each file and make none.")
def command(host: str, scope: str, dry_run: bool) -> None:
    """Take the guard away from an agent host.

    Where nobody has changed the file since, it stands again byte for byte as before; else only what is ours goes, and a dated copy is left.

    \b
    gatepost uninstall claude --dry-run
    gatepost uninstall claude
    """  # noqa: D301
    try:
        change = registered(host, scope).uninstall()
        if change.before == change.after:
            click.echo(f"{host}: nothing of ours stands in {change.path}")
            return
        show(change, dry_run=dry_run)
    except Conflict as error:
        raise click.ClickException(str(error)) from None
    if not dry_run:
        click.echo(f"{host}: the hook is no longer in {change.path}")
