"""`gatepost check`: what the guard would answer."""

from __future__ import annotations

import json
import sys

import click

from guards.cli import request as asked
from guards.hook.hosts import find
from policy import explain

STATUS = {"deny": 1, "ask": 3}


@click.command(context_settings=asked.AS_WRITTEN)
@asked.options
def command(command: tuple[str, ...], host: str, cwd: str | None, *, as_json: bool) -> None:
    """Say what the guard would answer to COMMAND (shell text in one argument, or - for standard input); several arguments are an argv.

    Exit status: 0 nothing against it (also allow, rewrite, advice), 1 deny, 3 ask, 2 wrong usage or a rule file that cannot be used.

    \b
    gatepost check 'git reset --hard'
    gatepost check --host codex --json - < script.sh
    """  # noqa: D301
    request = asked.of(command, host, cwd)
    engine, world = asked.judged(request)
    decision = engine.decide(request, world)
    if host and decision.action == "ask" and not find(host).ASKS:
        decision = decision.replace(action="deny")
    if as_json:
        click.echo(json.dumps(explain.decision(decision)))
    else:
        for line in explain.verdict(decision):
            click.echo(line)
    problems = asked.tell_problems(engine)
    sys.exit(STATUS.get(decision.action, 2 if problems else 0))
