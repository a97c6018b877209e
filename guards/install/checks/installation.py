"""The installation itself: launchers, interpreter, compiled rules, folders, the log."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from guards import silent
from guards.audit import NAME
from guards.install.doctor import Check
from shims.generate import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from guards.install.doctor import Patient
    from guards.layout import Layout

LAUNCHERS = {"gatepost": "cli.py", "gatepost-hook": "hook.py", "with-limits": "limits.py"}
"""Command to the entry file whose path is baked into it."""


def examine(patient: Patient) -> Iterator[Check]:
    """Every part that a door needs before it can answer."""
    layout = patient.layout
    for name, entry in LAUNCHERS.items():
        yield _launcher(layout, name, entry)
    yield _interpreter(layout)
    yield _rules(layout)
    yield from _own_files(layout)
    yield from _open_to_others(layout)
    yield from _limits(layout)
    yield from _trusted(layout)
    for folder in (layout.compiled, layout.state, layout.runtime):
        yield _private(folder)
    yield _log(layout)
    yield Check("ok", "front", f"{silent.total(layout)} requests that concern no rule were let pass without Python")
    if layout.bin not in patient.environment.get("PATH", "").split(":"):
        yield Check(
            "note",
            "PATH",
            f"{layout.bin} is not on PATH, so `gatepost` has to be called by its path",
            f"put {layout.bin} on PATH",
        )
    yield from _project(os.getcwd())


def _launcher(layout: Layout, name: str, entry: str) -> Check:
    path = f"{layout.bin}/{name}"
    if not os.access(path, os.X_OK):
        return Check("fail", name, f"{path} is missing or cannot be executed", "gatepost compile, or install.sh again")
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if not all(part in text or quoted(part) in text for part in (f"{layout.compiled}/{entry}", layout.python)):
        return Check("fail", name, f"{path} belongs to another installation than {layout.compiled}", "install.sh again")
    return Check("ok", name, path)


def _interpreter(layout: Layout) -> Check:
    code = "import sys; print(sys.implementation.cache_tag)"
    try:
        made = subprocess.run(
            [layout.python, "-I", "-S", "-c", code], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("fail", "interpreter", f"{layout.python} does not start: {error}", "install.sh again")
    tag = made.stdout.strip()
    if not os.path.exists(f"{layout.compiled}/policy.{tag}"):
        return Check(
            "fail", "interpreter", f"{layout.python} is {tag}, and no rules are compiled for it", "gatepost compile"
        )
    return Check("ok", "interpreter", f"{layout.python} ({tag})")


def _rules(layout: Layout) -> Check:
    from policy.compiled import Compiled, CompiledError
    from policy.engine import Engine

    try:
        Engine.load(layout.compiled)
    except CompiledError as error:
        try:
            Compiled.load(layout.compiled, check=False)
        except CompiledError:
            return Check("fail", "rules", str(error), "gatepost compile")
        return Check("note", "rules", f"{error.args[0].partition(';')[0]}; the next request compiles it anew")
    return Check("ok", "rules", f"{layout.compiled}/policy.{sys.implementation.cache_tag} is as new as its sources")


def _own_files(layout: Layout) -> Iterator[Check]:
    """What of the person's configuration and rules is not in force, and which suggestions it silences."""
    from policy.compiled import Compiled, CompiledError

    try:
        config = Compiled.load(layout.compiled, check=False).config
    except CompiledError:
        return  # told by _rules
    try:
        Compiled.load(layout.compiled)
    except CompiledError:  # what was wrong then may be mended by now
        if config["problems"]:
            text = "when the rules were compiled last, not all of your configuration was in force"
            yield Check("note", "configuration", text, "gatepost compile, then gatepost doctor")
        return
    for problem in config["problems"]:
        yield Check("fail", "configuration", f"not in force: {problem}", "mend the file; the next request knows")
    for note in config.get("notes", ()):
        yield Check("note", "configuration", note)


def _open_to_others(layout: Layout) -> Iterator[Check]:
    """Configuration that somebody else could rewrite, and loosen rules by it. A folder's rules count with the folder.

    A group of the same number as the user is theirs alone.
    """
    for layer in (layout.managed, layout.config):
        rules = f"{layer}/rules"
        packs = sorted(os.listdir(rules)) if os.path.isdir(rules) else []
        for path in (layer, f"{layer}/config.toml", rules, *(f"{rules}/{name}" for name in packs)):
            try:
                found = os.stat(path)
            except OSError:
                continue
            others = 0o002 if found.st_gid == os.geteuid() else 0o022
            if found.st_uid not in (0, os.geteuid()) or found.st_mode & others:
                cure = f"make it yours, then: chmod go-w {path}"
                yield Check("warn", "configuration", f"{path} can be written by others, who could loosen rules", cure)


def _limits(layout: Layout) -> Iterator[Check]:
    """What stands in `[limits]` and would stop with-limits."""
    from guards.limits import configured

    for fault in configured.faults(layout):
        yield Check("fail", "limits", fault, "mend the file: until then with-limits runs nothing with it")


def _trusted(layout: Layout) -> Iterator[Check]:
    """Trust in projects' files, and whether it still holds."""
    from guards import trust

    for one in trust.listed(layout):
        now = trust.project(one.folder)
        shown = ascii(one.folder)[1:-1]
        if now is not None and now.mark == one.mark:
            yield Check("ok", "trust", f"{shown}: its .gatepost.toml is trusted in its present bytes")
        else:
            cure = f"gatepost trust {shown}, or gatepost trust --revoke {shown}"
            yield Check(
                "note", "trust", f"{shown}: its .gatepost.toml has changed or is gone, so it is not trusted", cure
            )


def _project(cwd: str) -> Iterator[Check]:
    """What has no effect in the nearest project's file; its words are another's, so they are escaped and cut."""
    import tomllib

    from guards import trust
    from policy.rules import project_file

    found = trust.project(cwd)
    if found is None:
        return
    try:
        text = found.content.decode("utf-8")
        tomllib.loads(text)
        problems = project_file.read(found.path, text)[2]
    except ValueError as error:  # bytes that are no text, or a text that is no TOML: then nothing of it counts
        problems = [f"{found.path}, all of it: {error}"]
    for problem in problems:
        yield Check("note", "project", f"without effect: {ascii(problem)[1:-1][:300]}", "mend the file")


def _private(folder: str) -> Check:
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        return Check("note", "folder", f"{folder} is not there yet; it is made when first needed")
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.geteuid(), 0) or found.st_mode & 0o022:
        return Check("fail", "folder", f"{folder} is no folder that only its owner can write", f"chmod go-w {folder}")
    return Check("ok", "folder", folder)


def _log(layout: Layout) -> Check:
    path = f"{layout.state}/{NAME}"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        return Check(
            "fail",
            "log",
            f"{path} cannot be written ({error.strerror}): every command becomes a question",
            f"mend {layout.state}",
        )
    if os.stat(path).st_mode & 0o077:
        return Check("warn", "log", f"{path} can be read by others", f"chmod 600 {path}")
    return Check("ok", "log", path)
