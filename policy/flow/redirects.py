"""Redirections: files written and read, here-documents, and what a file holds after a command wrote it."""

from __future__ import annotations

from policy.flow import descriptors, expand
from policy.model import Value
from policy.programs.paths import effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Command, Effect, Redirect, Word

KINDS = {
    ">": "write",
    ">|": "write",
    "&>": "write",
    ">&": "write",
    "<>": "write",
    ">>": "append",
    "&>>": "append",
    "<": "read",
}

NOTHING = (Value(":", ":"),)
"""What runs when redirections stand alone (`> file`): nothing, but they are carried out."""


def redirected(walk: Walk, redirects: Sequence[Redirect], state: State, where: Where) -> tuple[Effect, ...]:
    """Put redirections into `where` (which is changed); returns what is written, for `keep`."""
    written: list[Effect] = []
    found: list[Effect] = []
    for redirect in redirects:
        if redirect.body is not None or redirect.operator == "<&":
            found += _fed(walk, redirect, state, where)
            continue
        kind = KINDS.get(redirect.operator)
        if kind is None or redirect.target is None:
            continue
        for value in expand.single(walk, state, redirect.target):
            if redirect.operator == ">&" and _is_descriptor(value):
                continue
            for cwd in state.cwd:
                found.append(effect(kind, value, cwd, source=redirect.descriptor + redirect.operator))
                if kind == "read":
                    descriptors.put(redirect, None, found[-1].path, (found[-1],), state, where)
                elif redirect.descriptor in {"", "1"}:
                    written.append(found[-1])
    if found:
        where.redirects = where.redirects + tuple(found)
    return tuple(written)


def started(walk: Walk, command: Command, readings: Sequence[Sequence[Value]], state: State, where: Where) -> None:
    """Start a command that has redirections, and remember what it puts into files."""
    files = redirected(walk, command.redirects, state, where)
    printed = walk.printed
    if where.descriptors and descriptors.for_good(command):
        state.descriptors = {**state.descriptors, **where.descriptors}
    if files:
        walk.printed = []
    walk.each(command, [reading or NOTHING for reading in readings], state, where)
    if not command.words and walk.printed is not None:
        from policy.flow import stdin

        walk.printed.append(stdin.text(walk, state, where) or Value("", ""))  # $(< FILE) is what the file holds
    if files:
        keep(state, files, walk.printed or [])
        walk.printed = printed


def _is_descriptor(value: Value) -> bool:
    return value.text is not None and (value.text == "-" or value.text.rstrip("-").isdigit())


def _fed(walk: Walk, redirect: Redirect, state: State, where: Where) -> tuple[Effect, ...]:
    """A here-document or here-string, or what an earlier redirection opened."""
    if redirect.body is None:
        return descriptors.again(walk, redirect, state, where)
    descriptors.put(redirect, _body(walk, redirect, redirect.body, state), None, (), state, where)
    return ()


def _body(walk: Walk, redirect: Redirect, body: Word, state: State) -> Value:
    values = expand.single(walk, state, body)
    value = values[0] if len(values) == 1 else Value(None)
    if redirect.operator == "<<<" and value.text is not None:
        value = Value(value.text + "\n", value.known + "\n")
    return value


def keep(state: State, files: Sequence[Effect], printed: Sequence[Value]) -> None:
    """Remember what the written files hold now."""
    from policy.flow.nesting import joined_output

    text = joined_output(printed).text
    for file in files:
        if file.path is None or file.path.startswith("/dev/"):
            continue
        before = state.files.get(file.path, "") if file.kind == "append" and file.path in state.files else ""
        if file.kind == "append" and file.path not in state.files:
            state.files[file.path] = None
        else:
            state.files[file.path] = None if text is None or before is None else before + text
