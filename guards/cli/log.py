"""`gatepost log`: what was decided, newest last."""

from __future__ import annotations

import collections
import json
from typing import Any

import click

from guards import history
from guards.layout import current


@click.command()
@click.option("--denied", is_flag=True, help="Only what was denied.")
@click.option("--rule", default="", help="Only decisions of this rule or pack (git/reset-hard, git).")
@click.option("--session", default="", help="Only this session.")
@click.option("-n", "--last", type=click.IntRange(min=0), default=50, show_default=True, help="How many; 0 for all.")
@click.option("--json", "as_json", is_flag=True, help="The log's own lines: one JSON object each.")
def command(*, denied: bool, rule: str, session: str, last: int, as_json: bool) -> None:
    """Show the log of decisions. Secrets were taken out before it was written.

    Requests that can concern no rule end in front of Python and are not logged.

    \b
    gatepost log --denied
    gatepost log --json --rule git | jq .command
    """  # noqa: D301

    def wanted(entry: dict[str, Any]) -> bool:
        found = str(entry.get("rule", ""))
        return (
            (not denied or entry.get("action") == "deny")
            and (not rule or found == rule or found.startswith(rule + "/"))
            and (not session or entry.get("session") == session)
        )

    kept = collections.deque(filter(wanted, history.entries(current())), maxlen=last or None)
    for entry in kept:
        click.echo(json.dumps(entry) if as_json else history.line(entry))
    if not kept and not as_json:
        click.echo("nothing is logged", err=True)
