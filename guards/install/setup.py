"""What install.sh does once it has an interpreter: place a release, try it, switch to it, show it; or remove it all again.

A release is a folder PREFIX/releases/STAMP with its own environment and compiled files. Launchers carry the absolute path of their
release, so the old release works until the new launchers are renamed over the old ones, and a process of the old one finishes in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

from guards import children
from guards.install import ground
from guards.layout import Layout, own_modules
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMMANDS = ("gatepost", "gatepost-hook", "with-limits")
LINKS = ("venv", "compiled")
PLACES = "layout.txt"
"""The file in PREFIX that says, for --uninstall, where the rest went."""


class Asked(Record):
    """What install.sh (process `pid`) was asked for. `release` is the folder of the new release, "" before it is placed."""

    layout: Layout
    release: str = ""
    pid: str = ""


def main(stage: str) -> None:
    """Run one stage, with `name=value` lines on stdin; ends the process with status 0 or 1 and says why on stderr."""
    children.always()
    text = os.fsdecode(sys.stdin.buffer.read())
    asked = understood(dict(line.split("=", 1) for line in text.split("\n") if "=" in line))
    try:
        STAGES[stage](asked)
    except OSError as error:
        sys.exit(f"install.sh: {ground.told(error, asked.layout)}")
    except (ValueError, ImportError, subprocess.SubprocessError) as error:
        sys.exit(f"install.sh: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def understood(options: Mapping[str, str]) -> Asked:
    """The layout that the options and the password database make together."""
    system = bool(options.get("system"))
    layout = system_layout() if system else Layout.default()
    for name in ("prefix", "bin", "config", "state"):
        if options.get(name):
            layout = layout.replace(**{name: options[name]})
    if options.get("state"):
        layout = layout.replace(runtime=layout.state + "/run", shared=False)
    release = options.get("release", "")
    if release:
        layout = layout.replace(
            compiled=release + "/compiled", python=release + "/venv/bin/python", modules=own_modules()
        )
    return Asked(layout, release, options.get("pid", ""))


def system_layout() -> Layout:
    """One installation for all users, in places that only root writes; the only configuration is the managed one."""
    return Layout.default().replace(
        prefix="/opt/gatepost", bin="/usr/local/bin", config="/opt/gatepost/no-user-configuration", shared=True
    )


# --- place ----------------------------------------------------------------------------------------------------------


def place(asked: Asked) -> None:
    """Make the folder of a new release and print it."""
    if asked.layout.shared and os.geteuid() != 0:
        raise ValueError(
            "--system needs root: sudo ./install.sh --system, or leave the option out to install for yourself"
        )
    if wrong := tuple(ground.reasons(asked.layout)):
        raise ValueError("nothing was changed:" + "".join(f"\n  {reason}" for reason in wrong))
    release = f"{asked.layout.prefix}/releases/{time.strftime('%Y%m%d-%H%M%S')}-{asked.pid}"
    os.makedirs(release)
    print(release)


# --- switch ---------------------------------------------------------------------------------------------------------


def switch(asked: Asked) -> None:
    """Try the new release beside the old one, then put it in its place and show it at work."""
    from guards.install import demo
    from guards.install.deploy import deploy

    layout, release = asked.layout, asked.release
    trial = layout.replace(
        prefix=release + "/trial/prefix",
        bin=release + "/trial/bin",
        compiled=release + "/trial/compiled",
        config=release + "/trial/config",
        state=release + "/trial/state",
        runtime=release + "/trial/run",
        managed=release + "/trial/managed",
        shared=False,
    )
    deploy(trial)
    if wrong := demo.wrong(trial):
        raise ValueError(
            "the new release answers wrongly, so nothing was changed:\n" + "\n".join(f"  {line}" for line in wrong)
        )
    shutil.rmtree(release + "/trial")
    mark(release, "begun")  # from here on launchers may name this release, so install.sh keeps it whatever happens
    deploy(layout)
    for name in LINKS:
        link(f"{release}/{name}", f"{layout.prefix}/{name}")
    note_places(layout)
    mark(release, "complete")
    remove_old_releases(layout, release)
    print(f"Installed: {', '.join(COMMANDS)} in {layout.bin}\n")
    demo.show(layout)
    say_path(layout)


def mark(release: str, name: str) -> None:
    """Leave an empty file in the release that says how far it has come."""
    with open(f"{release}/{name}", "w", encoding="utf-8"):
        pass


def link(target: str, path: str) -> None:
    """Make `path` a symbolic link to `target`, replacing one that is there in one step."""
    beside = f"{path}.{os.getpid()}.new"
    os.symlink(target, beside)
    os.replace(beside, path)


def note_places(layout: Layout) -> None:
    """Leave in PREFIX what --uninstall must know."""
    with open(f"{layout.prefix}/{PLACES}", "w", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in layout.as_dict().items() if isinstance(value, str))


def remove_old_releases(layout: Layout, newest: str) -> None:
    """Keep the newest release and the complete one before it, in which processes may still run.

    Of unfinished ones go those whose installer is dead, and those that launchers may have named once processes of then are a day old.
    """
    folder = layout.prefix + "/releases"
    kept = 0
    for name in sorted(os.listdir(folder), reverse=True):
        path = f"{folder}/{name}"
        if path == newest:
            continue
        if not ground.RELEASE.fullmatch(name):
            continue
        complete = os.path.exists(path + "/complete")
        if complete and not kept:
            kept = 1
        elif complete or _given_up(path):
            shutil.rmtree(path)


def _given_up(release: str) -> bool:
    """Whether nobody finishes or uses this unfinished release any more."""
    begun = os.path.exists(release + "/begun")
    return os.stat(release).st_mtime < time.time() - 86400 or (not begun and not alive(release.rpartition("-")[2]))


def alive(pid: str) -> bool:
    """Whether a process of that number is there, whoever's it is."""
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def say_path(layout: Layout) -> None:
    """How to get BIN on PATH when it is not, and what comes next."""
    if layout.bin not in os.environ.get("PATH", "").split(":"):
        written = "".join("\\" + letter if letter in '\\"$`' else letter for letter in layout.bin)
        print(
            f'\n{layout.bin} is not on your PATH. This line in your shell\'s start-up file puts it there:\n  export PATH="{written}:$PATH"'
        )
    print("\nNo agent's settings were changed. Next: gatepost install claude")


# --- uninstall ------------------------------------------------------------------------------------------------------


def uninstall(asked: Asked) -> None:
    """Remove commands, releases and shims; configuration, log and foreign files stay. Not while an agent's settings name the hook."""
    layout = noted(asked.layout)
    if layout is None:
        raise ValueError(f"{asked.layout.prefix} holds no installation of Gatepost; --prefix says where another one is")
    _uncalled(layout)
    agents = f"{layout.prefix}/agents"
    _remove_commands(layout, agents)
    for name in LINKS:
        if os.path.islink(f"{layout.prefix}/{name}"):
            os.unlink(f"{layout.prefix}/{name}")
    for folder in (f"{layout.prefix}/shims", f"{layout.prefix}/releases", layout.runtime):
        if folder != layout.runtime or ground.own_runtime(folder):
            shutil.rmtree(folder, ignore_errors=True)
    os.unlink(f"{layout.prefix}/{PLACES}")
    for folder in (agents, layout.prefix):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
    print(f"Removed from {layout.prefix} and {layout.bin}.")
    left = (
        (layout.config, "your configuration"),
        (layout.managed, "the machine's configuration"),
        (layout.state, "log"),
    )
    if there := [f"{path} ({what})" for path, what in left if os.path.isdir(path)]:
        print(f"Left in place: {', '.join(there)}.")


def _uncalled(layout: Layout) -> None:
    """Raise ValueError while an agent's settings name the hook that is about to go."""
    from guards.install.leftover import registered

    found = registered(layout, os.path.expanduser("~"), os.environ)
    if still := [f"gatepost uninstall {host} --scope {scope}" for host, scope, _ in found]:
        raise ValueError(
            f"agents still call the hook, and some would then block every command; first run: {'; '.join(still)}"
        )


def _remove_commands(layout: Layout, agents: str) -> None:
    """Remove our commands from BIN and from the folder of agents' launchers; a foreign file of that name stays."""
    from shims.generate import MARK

    started = os.listdir(agents) if os.path.isdir(agents) else []
    for path in (*(f"{layout.bin}/{name}" for name in COMMANDS), *(f"{agents}/{name}" for name in started)):
        if holds(path, MARK):
            os.unlink(path)


def noted(layout: Layout) -> Layout | None:
    """The layout that an installation left in its PREFIX, None when there is none."""
    try:
        with open(f"{layout.prefix}/{PLACES}", encoding="utf-8") as file:
            values = dict(line.rstrip("\n").split("=", 1) for line in file)
    except FileNotFoundError:
        return None
    return layout.replace(**{name: values[name] for name in ("bin", "config", "state", "runtime") if name in values})


def holds(path: str, mark: str) -> bool:
    """Whether a text file is there and has `mark` in it."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return mark in file.read(65536)
    except OSError:
        return False


STAGES = {"place": place, "switch": switch, "uninstall": uninstall}
