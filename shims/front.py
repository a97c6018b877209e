"""Writes the hook's front for a shell: a small program that answers requests which can concern no rule, without starting Python.

Where there is a C compiler the hook is a program that does the same (shims.hook_program, templates/hook.c), with the table in itself. Either
is silent only if all of this holds, and hands over to Python otherwise:

- The input is one line of printable ASCII without a backslash, at most 6000 characters, with nothing behind it. So a string in it is what
  stands between two quotes.
- Split at its quotes, it is a JSON object of strings, integers, true, false, null and objects of these, one level deep, without blanks;
  no key that matters occurs twice. (The loops accept only gaps that such an object has; what they accept, a JSON reader accepts. The
  compiled program reads the same objects by their grammar.)
- For the host that the hook was registered for, it holds the event and the tool of a shell request, a working directory that is absolute
  and normalised, and a command: those keys are strings, as the host's module in guards.hook.hosts demands. Nothing else of the payload
  can change what that module makes of it.
- The command is plain and begins with a form of the table that `shims.skip` derives, and none of the form's patterns matches.
- Every source of the compiled rules that was there is older than the compiling, every one that was not is still not there, and no
  project file lies in the working directory or above it.

For the shell the table is a folder, so that its size costs nothing: `f:PROGRAM:SUBCOMMAND` (or `f:PROGRAM:WORD:WORD`) is a form (its content tests the later words; empty when
there is nothing to test), `g:PROGRAM` a guarded first word, `others` the form of all other first words. It is written under a name of
its own before the front that names it is renamed into place, and the one before it is kept: a front that is running finds its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil

from policy.record import Record
from shims.generate import filled, put, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from shims.skip import Form, Table


SHAPES = {
    "claude": ("PreToolUse", "Bash"),
    "codex": ("PreToolUse", "Bash"),
    "gemini": ("BeforeTool", "run_shell_command"),
    "kimi": ("PreToolUse", "Bash"),
    "qwen": ("PreToolUse", "run_shell_command"),
}
"""Hosts whose requests the front may answer, with `hook_event_name` and `tool_name` of a shell request, whose text is
`tool_input.command`; all others go to Python. Silence must be the host's answer for "no opinion"."""

TEXTS = ("cwd", "session_id", "hook_event_name", "tool_name")
"""Members of the payload that no number, constant or object may stand under."""

INNOCENT = ("description", "timeout", "run_in_background", "is_background", "dangerouslyDisableSandbox")
"""Members of the tool's input that change nothing about what runs where; any other goes to Python."""


class Watched(Record):
    """What makes the front stale.

    present   files and folders that must be older than the file `since`, which was touched before they were read
    absent    paths where nothing may come into being
    policy    the compiled rules that the table was derived from; older than the front itself
    """

    present: tuple[str, ...]
    absent: tuple[str, ...]
    since: str
    policy: str


def write_table(made: Table, folder: str) -> str:
    """Write the table below `folder` and return its path; older tables but the last one are removed."""
    files = files_of(made)
    name = "front." + hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    path = f"{folder}/{name}"
    if not os.path.exists(path + "/complete"):
        shutil.rmtree(path, ignore_errors=True)
        _fill(path, files)
    os.utime(path)
    tables = [entry for entry in os.scandir(folder) if entry.name.startswith("front.") and entry.is_dir()]
    for old in sorted(tables, key=lambda entry: entry.stat().st_mtime_ns)[:-2]:
        shutil.rmtree(old.path)
    return path


def files_of(made: Table) -> dict[str, str]:
    """The table's files and their contents."""
    files = {f"g:{name}": "" for name in made.guarded}
    files |= {f"f:{form.program}:{form.subcommand.replace(' ', ':')}": _tests(form) for form in made.forms}
    if made.others is not None:
        files["others"] = _tests(made.others)
    return files


def _fill(path: str, files: Mapping[str, str]) -> None:
    """One file for each content, with a name for each entry; `complete` last."""
    os.mkdir(path, 0o700)
    first: dict[str, str] = {}
    for name, content in files.items():
        if content in first:
            os.link(first[content], f"{path}/{name}")
        else:
            first[content] = f"{path}/{name}"
            put(first[content], content, 0o600)
    put(path + "/complete", "\n", 0o600)


def _tests(form: Form) -> str:
    """Shell text that sets `judge` when a word or path is among the form's patterns."""
    lines = []
    if form.avoid:
        lines.append(f"for word; do case $word in {'|'.join(form.avoid)}) judge=1 ;; esac; done\n")
    if form.paths:
        lines.append(f'case "$cwd/ $command" in {"|".join(form.paths)}) judge=1 ;; esac\n')
    return "".join(lines)


def front(table_path: str, watched: Watched, own_path: str, counter: str) -> str:
    """The part of the hook program `own_path` between its functions and its last line. `counter` gets a byte for each silent answer."""
    since = quoted(watched.since)
    tests = [f"[ {quoted(watched.policy)} -ot {quoted(own_path)} ] || break"]
    tests += [f"[ {quoted(path)} -ot {since} ] || break" for path in watched.present]
    tests += [f"[ ! -e {quoted(path)} ] || break" for path in watched.absent]
    values = {
        "TEXTS": " | ".join(TEXTS),
        "INNOCENT": " | ".join(f"tool_input.{member}" for member in INNOCENT),
        "TOOLS": " | ".join(f"{host}:{event}:{tool}" for host, (event, tool) in SHAPES.items()),
        "TABLE": quoted(table_path),
        "STALE": "\n".join(f"  {test}" for test in tests),
        "COUNT": quoted(counter),
    }
    return filled("front.sh", values)
