"""Text inside words: what substitutions print, what operands of ${…} and items of braces stand for."""

from __future__ import annotations

from policy.flow import expand
from policy.flow.where import Where
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy.flow.state import State
    from policy.flow.walk import Walk


def substituted(walk: Walk, number: int, state: State, *, fed: bool = False) -> Value:
    """What $(…) prints, as far as it is known; its commands are walked once for every reading of the word. `fed`: they read its input."""
    entry = walk.frames.get(number)
    if entry is None:
        return Value(None)
    from policy.flow.nesting import joined_output

    depth, commands = entry
    saved, walk.printed = walk.printed, []
    where = (walk.here or Where()).copy()
    where.redirects = ()
    if not fed:
        where.stdin, where.stdin_path, where.piped_from = None, None, ()
    here = walk.here
    walk.run(commands, depth, state.copy(), where)
    walk.here = here
    value = joined_output(walk.printed or [])
    walk.printed = saved
    if value.text is not None:
        value = Value(value.text.rstrip("\n"), value.known.rstrip("\n"), value.glob)
    walk.results[number] = value
    return value


def process(walk: Walk, number: int, state: State, *, written: bool = False) -> Value:
    """The path that <(…) or, `written`, >(…) stands for; what is printed into the first is what that path holds."""
    value = substituted(walk, number, state, fed=written)
    path = f"/dev/fd/{63 + number}"
    state.files[path] = value.text
    return Value(path, path)


def operand(walk: Walk, source: str, state: State) -> tuple[Value, ...]:
    """The values of text inside ${x:-…}."""
    if not any(mark in source for mark in "\\'\"$`~"):
        return (Value(source, source),)
    values = inline(walk, source, state)
    return tuple(values) if len(values) == 1 else (Value(None, splits=True),)


def inline(walk: Walk, source: str, state: State) -> list[Value]:
    """Source text of words, expanded by itself, in which an end of line is a blank; (unknown,) when it cannot be read."""
    from policy import shell

    try:
        script = walk.parse("x " + source, "bash", walk.here or Where())
    except shell.Unparsed:
        if "\n" in source:
            return inline(walk, " ".join(source.split("\n")), state)
        return [Value(None, splits=True)]
    own = [command for command in script.commands if not command.context]
    if any(command.joiner not in ("", ";") or command.assignments or command.redirects for command in own):
        return [Value(None, splits=True)]
    from policy.flow.nesting import nested

    walk.inlined.append(source)
    saved = walk.frames, walk.results
    walk.frames, walk.results = nested(script), {}
    readings = expand.words(walk, state, [word for command in own for word in command.words][1:])
    walk.frames, walk.results = saved
    return readings[0] if len(readings) == 1 else [Value(None, splits=True)]
