"""`gatepost explain`: how an answer comes about."""

from __future__ import annotations

import json

import click

from guards.cli import request as asked
from policy import explain


@click.command(context_settings=asked.AS_WRITTEN)
@asked.options
def command(command: tuple[str, ...], host: str, cwd: str | None, *, as_json: bool) -> None:
    """Show every command that COMMAND would start, every rule that matches one, what its facts say, and the answer.

    \b
    gatepost explain 'cd lib && git reset --hard'
    gatepost explain --json 'bash -c "rm -rf ~"' | jq .commands
    """  # noqa: D301
    request = asked.of(command, host, cwd)
    engine, world = asked.judged(request)
    explanation = engine.explain(request, world)
    if as_json:
        click.echo(json.dumps(explain.data(explanation)))
    else:
        for line in explain.text(explanation):
            click.echo(line)
    asked.tell_problems(engine)
