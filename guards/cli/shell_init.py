"""`gatepost shell-init`: what a shell has to read so that the shims stay first on PATH."""

from __future__ import annotations

import click

from guards.layout import current
from shims.path_order import SHELLS, text


@click.command("shell-init")
@click.argument("shell", type=click.Choice(sorted(SHELLS)))
def command(*, shell: str) -> None:
    """Print start-up text for a shell: inside an agent session the shims stay first on PATH, elsewhere it does nothing.

    Put it at the end of the shell's rc file, after mise, asdf, direnv and the like.

    \b
    eval "$(gatepost shell-init bash)"        in ~/.bashrc
    eval "$(gatepost shell-init zsh)"         in ~/.zshrc
    gatepost shell-init fish | source         in ~/.config/fish/config.fish
    """  # noqa: D301
    click.echo(text(shell, current().prefix + "/shims"), nl=False)
