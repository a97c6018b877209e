"""`gatepost`: the command line for people. A subcommand's module is imported only when that subcommand is called."""

from __future__ import annotations

import importlib

import click

from guards import children

COMMANDS = {
    "allow-once": "guards.cli.allow_once:command",
    "check": "guards.cli.check:command",
    "compile": "guards.cli.compile:command",
    "config": "guards.cli.config:command",
    "doctor": "guards.cli.doctor:command",
    "explain": "guards.cli.explain:command",
    "install": "guards.cli.install:command",
    "log": "guards.cli.log:command",
    "parse": "guards.cli.parse:command",
    "rules": "guards.cli.rules:command",
    "run": "guards.cli.run:command",
    "sessions": "guards.cli.sessions:command",
    "shell-init": "guards.cli.shell_init:command",
    "statusline": "guards.cli.statusline:command",
    "trust": "guards.cli.trust:command",
    "uninstall": "guards.cli.uninstall:command",
    "why": "guards.cli.why:command",
}
"""Subcommand to where it is; a new subcommand is a file and a line here."""


class Subcommands(click.Group):
    """A group over COMMANDS. `gatepost --help` imports them all for their summaries, anything else only the one called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every subcommand, sorted."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, or None (click then says so and lists near names)."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]} is no click command")
        return command


@click.command(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gatepost", prog_name="gatepost")
def main() -> None:
    """Guard the commands that coding agents run.

    \b
    gatepost install claude          put the guard in front of Claude Code
    gatepost check 'git reset --hard'   what the guard would answer here
    gatepost doctor                  whether every door really answers
    """  # noqa: D301
    children.always()


if __name__ == "__main__":
    main()
