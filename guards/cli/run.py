"""`gatepost run`: start an agent with the shims in front, in a session of its own, and become it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import subprocess
import time

import click

from guards import kin, remembered, session, sessions
from guards.install.deploy import deploy
from guards.layout import Layout, current
from policy.compiled import Compiled, CompiledError
from shims import generate_shims, resolve

INHERITED = ("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "AGENT_SESSION_ID", session.VARIABLE)
"""Ids of an outer session, which would have this one's work put down to that."""


@click.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "--limits",
    "limits",
    metavar="OPTIONS",
    help="A cap for the whole session, as options of with-limits: '--memory 75%'.",
)
@click.option(
    "--name", metavar="NAME", help="A name; a session of the same name in the same directory goes on under the same id."
)
@click.option(
    "--ask-on", "terminal", metavar="TTY", help="Where you can be asked: 'here', or a terminal such as /dev/pts/3."
)
@click.option("--launcher", is_flag=True, help="Do not start it: write PREFIX/agents/NAME, which does so each time.")
@click.option("--otherwise", metavar="PATH", hidden=True, help="Where the agent was when its launcher was made.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def command(  # noqa: PLR0913  -- one for each option
    *,
    limits: str | None,
    name: str | None,
    terminal: str | None,
    launcher: bool,
    otherwise: str | None,
    command: tuple[str, ...],
) -> None:
    """Start an agent with the shims first on PATH.

    The agent takes over this process: its terminal, Ctrl-C and exit status are its own.

    \b
    gatepost run -- claude
    gatepost run --name review --limits '--memory 60%' -- codex
    gatepost run --launcher -- claude      then put PREFIX/agents first on your PATH
    """  # noqa: D301
    layout = current()
    real = _real(layout, command[0], otherwise)
    if launcher:
        click.echo(_launcher(layout, command, real, limits, name))
        return
    refreshed(layout)
    words = (real, *command[1:])
    identity = identify(layout, name)
    environment = surroundings(layout, identity)
    if limits:
        words = _limited(layout, limits, words, environment)
    _enter(layout, identity, name, command, terminal)
    try:
        os.execve(words[0], (command[0] if not limits else words[0], *words[1:]), environment)  # noqa: S606
    except OSError as error:
        raise _unstarted(f"{words[0]}: {(error.strerror or str(error)).lower()}", error.errno) from None


class NotFound(click.ClickException):
    """There is no such agent."""

    exit_code = 127


class NotRunnable(click.ClickException):
    """It is there and cannot be run."""

    exit_code = 126


def _unstarted(told: str, number: int | None = errno.ENOENT) -> click.ClickException:
    """The error for an agent that could not be started, with the exit status that a shell gives: 127 not found, 126 cannot be run."""
    made: type[click.ClickException] = NotFound if number == errno.ENOENT else NotRunnable
    return made(told)


def _real(layout: Layout, program: str, otherwise: str | None) -> str:
    """The agent itself: not a shim, not a launcher of ours. `otherwise` is taken where PATH has none."""
    if "/" in program:
        return os.path.abspath(program)
    found = resolve.find(program, os.environ.get("PATH", ""), layout.prefix + "/agents")
    if found is None and otherwise and resolve.executable(otherwise):
        return otherwise
    if found is None:
        known = "there is no such option" if program.startswith("-") else "not found on PATH"
        raise _unstarted(f"{program}: {known}; `gatepost run -- AGENT` starts it")
    return found


def refreshed(layout: Layout) -> None:
    """Everything compiled anew where a rule or the configuration has changed, and shims made anew where a program has come, gone or moved."""
    try:
        try:
            Compiled.load(layout.compiled)
        except CompiledError:
            deploy(layout, if_stale=True)
        if not generate_shims.fresh(layout):
            generate_shims.write(layout)
    except (OSError, ValueError) as error:
        click.echo(f"gatepost: the shims stay as they are: {error}", err=True)


def identify(layout: Layout, name: str | None) -> str:
    """The session's id: a new one, or for a named session the one that it had before in this directory."""
    if not name:
        return secrets.token_hex(8)
    folder = layout.state + "/sessions"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = f"{folder}/{hashlib.sha256(json.dumps([name, os.getcwd()]).encode()).hexdigest()[:32]}"
    try:
        with open(path, encoding="ascii") as file:
            known = file.read().strip()
    except OSError:
        known = ""
    if known.isalnum() and sessions.find(layout, known) is None:
        return known
    made = secrets.token_hex(8)
    with open(path, "w", encoding="ascii") as file:
        file.write(made)
    return made


def surroundings(layout: Layout, identity: str) -> dict[str, str]:
    """The agent's environment: ids of outer sessions gone, our shims first on PATH and only there, everything else as it is."""
    shims = layout.prefix + "/shims"
    ours = resolve.identity(shims)

    def ahead(path: str) -> str:
        return ":".join((shims, *(entry for entry in path.split(":") if not entry or resolve.identity(entry) != ours)))

    environment = {name: value for name, value in os.environ.items() if name not in INHERITED}
    environment = remembered.amended(environment, ahead)
    environment["PATH"] = ahead(environment.get("PATH", os.defpath))
    environment[session.VARIABLE] = identity
    return environment


def _limited(layout: Layout, limits: str, words: tuple[str, ...], environment: dict[str, str]) -> tuple[str, ...]:
    """The agent under a cap that the kernel keeps; without such a backend it is said, and the agent runs without. A mistyped cap starts nothing."""
    import shlex

    from guards.limits import options

    try:
        asked = shlex.split(limits)
        fault = "" if options.read([*asked, "--", "true"]).command == ("true",) else "it names a command"
    except (ValueError, options.UsageError) as error:
        fault = str(error)
    if fault:
        raise click.UsageError(f"--limits: {fault}; try: --limits '--memory 75%'")
    front = (f"{layout.bin}/with-limits", *asked, "--require-kernel", "--")
    tried = subprocess.run(
        (*front, "true"), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if tried.returncode == 0:
        return (*front, *words)
    click.echo(f"gatepost: no cap for this session: {tried.stderr.strip() or 'the kernel keeps none here'}", err=True)
    return words


def _enter(layout: Layout, identity: str, name: str | None, words: tuple[str, ...], terminal: str | None) -> None:
    here = kin.stat(os.getpid())
    if terminal == "here":
        terminal = os.ttyname(0) if os.isatty(0) else ""
    entry = sessions.Session(
        identity,
        name or "",
        f"{os.getpid()}:{here[2] if here else ''}",
        os.getcwd(),
        time.time(),
        words,
        terminal or "",
    )
    if not sessions.enter(layout, entry):
        click.echo("gatepost: this session is not registered: the runtime folder cannot be used", err=True)


def _launcher(layout: Layout, words: tuple[str, ...], real: str, limits: str | None, name: str | None) -> str:
    """Write a program under the agent's own name that starts it through us; where the agent is, is looked up at each start."""
    from shims.generate import MARK, faithful_shell, put, quoted

    folder = layout.prefix + "/agents"
    os.makedirs(folder, mode=0o755, exist_ok=True)
    options = [*(("--limits", limits) if limits else ()), *(("--name", name) if name else ())]
    named = os.path.basename(words[0])
    agent = ("--", real) if "/" in words[0] else ("--otherwise", real, "--", named)
    line = " ".join(map(quoted, (f"{layout.bin}/gatepost", "run", *options, *agent, *words[1:])))
    path = f"{folder}/{named}"
    put(
        path,
        f'#!{faithful_shell()}\n# gatepost launcher: generated by `gatepost run --launcher`; {MARK}\nexec {line} "$@"\n',
        0o755,
    )
    return f"{path} starts {real} in a session; put {folder} first on your PATH"
