"""`gatepost doctor`: is every door there, and does it answer."""

from __future__ import annotations

import json
import os
import sys

import click

from guards.install import doctor, hosts
from guards.layout import current

SIGNS = {"ok": "ok  ", "note": "note", "warn": "WARN", "fail": "FAIL"}


@click.command(epilog=f"HOST is one of: {', '.join(hosts.names())}.")
@click.argument("host", nargs=-1, type=click.Choice(list(hosts.names())), metavar="[HOST]...")
@click.option(
    "--live", is_flag=True, help="Also run the real clients, with your settings, against a model server of ours."
)
@click.option("--quiet", is_flag=True, help="Only what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def command(host: tuple[str, ...], *, live: bool, quiet: bool, as_json: bool) -> None:
    """Examine the installation, the hosts (those named, else those found) and the shims; nothing is changed.

    Each registered hook is tried with a command that must be refused and one that must pass. Exit status 1 when something does not guard.

    \b
    gatepost doctor
    gatepost doctor claude --quiet
    gatepost doctor codex --live
    """  # noqa: D301
    patient = doctor.Patient(current(), os.path.expanduser("~"), host, os.environ)
    found = []
    for check in doctor.examine(patient, (*doctor.CHECKS, *(doctor.LIVE if live else ()))):
        found.append(check)
        if not as_json and (not quiet or check.level in ("warn", "fail")):
            click.echo(
                f"{SIGNS[check.level]}  {check.subject:<13} {check.text}{f'  ->  {check.cure}' if check.cure else ''}"
            )
    if as_json:
        click.echo(json.dumps([check.as_dict() for check in found]))
    sys.exit(any(check.level == "fail" for check in found))
