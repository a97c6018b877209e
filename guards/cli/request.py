"""A request from the command line, judged by the installed rules in the real world; `check`, `explain` and `parse` share it."""

from __future__ import annotations

import os
import sys

import click

from guards import judging
from guards.hook.hosts import HOSTS
from guards.layout import current
from policy.compiled import CompiledError
from policy.model import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy.engine import Engine
    from policy.world import World

AS_WRITTEN = {"ignore_unknown_options": True}
"""Options that are not ours are the command's own; after `--` all are."""
HOST_NAMES = tuple(sorted(HOSTS))


def options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which request is meant."""
    command = click.option("--json", "as_json", is_flag=True, help="One JSON object.")(command)
    folder = click.Path(exists=True, file_okay=False, resolve_path=False)
    command = click.option("--cwd", type=folder, help="The directory that it would run in; default: here.")(command)
    command = click.option("--host", default="", help=f"Judge as for this host ({', '.join(HOST_NAMES)}).")(command)
    return click.argument("command", nargs=-1, required=True, metavar="COMMAND|-")(command)


def of(command: tuple[str, ...], host: str, cwd: str | None) -> Request:
    """The request: one argument is shell text, `-` reads it from standard input, several are an argv."""
    if host and host not in HOST_NAMES:
        raise click.UsageError(f"no host is called {host!r}; known: {', '.join(HOST_NAMES)}")
    if command[0].startswith("-") and command[0] != "-":
        raise click.UsageError(f"{command[0]}: there is no such option, and no program of that name")
    where = os.path.abspath(cwd) if cwd else os.getcwd()
    home = os.path.expanduser("~")
    about = Request(cwd=where, environment=dict(os.environ), home=home if home.startswith("/") else None, host=host)
    if len(command) > 1:
        return about.replace(argv=command, door="shim")
    text = sys.stdin.read() if command[0] == "-" else command[0]
    return about.replace(text=text, dialect="bash")


def judged(request: Request) -> tuple[Engine, World]:
    """The installed engine and the world that the request meets; a broken installation ends the command."""
    layout = current()
    try:
        engine = judging.engine(layout, request.cwd)
    except CompiledError as error:
        raise click.ClickException(str(error)) from error
    return engine, judging.world(request, layout)


def tell_problems(engine: Engine) -> bool:
    """Says on standard error what could not be used of the person's own files; whether there was anything."""
    problems = engine.compiled.config.get("problems", ())
    for problem in problems:
        click.echo(f"gatepost: {problem}", err=True)
    return bool(problems)
