"""`gatepost allow-once`: a person lets one refused command pass, once."""

from __future__ import annotations

import time

import click

from guards import codes, grants
from guards.layout import current
from guards.redact import text
from policy.wording import folder

PATH = 200
"""Letters of a directory that are shown, counted from its end."""


@click.command("allow-once")
@click.argument("code", required=False)
def command(*, code: str | None) -> None:
    """Let a command that waits for your word pass once; without CODE, show what waits.

    It holds for exactly that command, in that directory, at that commit, for that session, for ten minutes.

    \b
    gatepost allow-once            what waits
    gatepost allow-once k7m2qx     let it pass
    """  # noqa: D301
    layout = current()
    if code is None:
        waiting = codes.listed(layout)
        for one in waiting:
            minutes = int(grants.SECONDS - (time.time() - one.time)) // 60
            click.echo(
                f"{one.code}  {minutes} min left  in {folder(one.cwd, PATH)}: {shown(one)}  [{', '.join(one.rules)}]"
            )
        if not waiting:
            click.echo("nothing waits")
        return
    done = codes.redeem(layout, code.strip().lower())
    if isinstance(done, str):
        raise click.ClickException(f"{code}: {done}")
    click.echo(f"passes once in the next ten minutes, in {folder(done.cwd, PATH)}: {shown(done)}")


def shown(pending: codes.Pending) -> str:
    """The command, quoted, with secrets left out and nothing that could steer a terminal."""
    return text("\n".join(map(_word, pending.argv))).replace("\n", " ")


def _word(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)
