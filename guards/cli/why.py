"""`gatepost why`: the last refusal or question, and the rule behind it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import click

from guards import history
from guards.hook.settle import TRY
from guards.install.demo import DEMO
from guards.layout import current
from policy.wording import quote

if TYPE_CHECKING:
    from policy.rules.schema import Rule


@click.command()
@click.argument("rule", default="")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(rule: str, *, as_json: bool) -> None:
    """Say why the last command was refused or asked about; with RULE the last one of that rule.

    \b
    gatepost why
    gatepost why git/reset-hard
    """  # noqa: D301
    entry = _last(rule)
    found = _rule(rule or str((entry or {}).get("rule", "")))
    if entry is None and found is None:
        raise click.ClickException(
            f"nothing of {rule} is logged, and no rule has this id" if rule else "nothing was refused"
        )
    if as_json:
        about = None if found is None else {"summary": found.summary, "why": found.why, "instead": list(found.instead)}
        click.echo(json.dumps({"entry": entry, "rule": about}))
        return
    if entry is not None:
        _tell_entry(entry)
    if found is not None:
        click.echo(f"rule      {rule or (entry or {}).get('rule')}: {found.summary}")
        click.echo(f"          because {found.why}")


def _last(rule: str) -> dict[str, Any] | None:
    """The last refusal or question of somebody's; what the doctor and the installer tried themselves is nobody's."""
    last = None
    for entry in history.entries(current()):
        if entry.get("action") in ("deny", "ask") and rule in ("", entry.get("rule")):
            last = last if entry.get("session") in (TRY, DEMO) else entry
    return last


def _rule(name: str) -> Rule | None:
    """The rule of that id in the layers as they stand; None for ids that no rule file defines (hook/input and the like)."""
    from policy.rules import catalog
    from policy.rules.schema import RuleError

    layout = current()
    try:
        found = catalog.load(catalog.sources(layout.managed, layout.config)).rules.get(name)
    except (RuleError, OSError) as error:
        click.echo(f"the rules cannot be read: {error}", err=True)
        return None
    return None if found is None else found.rule


def _tell_entry(entry: dict[str, Any]) -> None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry["time"]))
    word = {"deny": "refused", "ask": "a question"}[entry["action"]]
    click.echo(f"{when}  {word}, for {entry.get('host') or entry.get('door')}")
    click.echo(f"command   {quote(history.asked(entry), 400)}")
    click.echo(f"in        {quote(str(entry.get('cwd')), 200)}")
    click.echo(f"reason    {entry.get('reason')}")
    for command in entry.get("instead", ()):
        click.echo(f"instead   {command}")
    if "error" in entry:
        click.echo(f"error     {': '.join(quote(str(part), 400) for part in entry['error'])}")
