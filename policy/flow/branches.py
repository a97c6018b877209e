"""Commands that may run or not, and for loops: every way through is followed, and the states are merged."""

from __future__ import annotations

from policy.flow import expand
from policy.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Command, Frame


LOOPS = frozenset({"loop", "for", "select"})
AGAIN = 12_000
"""Past this much work, what one turn of a loop leaves behind for the next is no longer followed."""


def _changed(before: State, after: State) -> bool:
    """Whether a turn of a loop leaves something behind that the next one may meet."""
    if before.cwd != after.cwd:
        return True
    return any(before.values.get(name) != values for name, values in after.values.items() if name in before.values)


def run(walk: Walk, frame: Frame, commands: Sequence[Command], depth: int, state: State, where: Where) -> None:  # noqa: PLR0913, PLR0917
    """Walk an if, loop, for, select or case whose commands are given."""
    if frame.kind in {"for", "select"} and frame.name:
        state.assign(frame.name, _values(walk, frame, state))
    if frame.kind == "case" and frame.words:
        for word in frame.words:
            expand.single(walk, state, word)
    ends: list[State] = []
    exhaustive = False
    for part, members in _parts(commands, depth):
        if part == "condition":
            walk.run(members, depth + 1, state, where)
            continue
        branch = state.copy()
        first = len(walk.out)
        walk.run(members, depth + 1, branch, where)
        if frame.kind in LOOPS and _changed(state, branch) and walk.steps < AGAIN:
            again = state.copy()
            again.merge(branch, walk.environment)
            del walk.out[first:]
            walk.results = {}
            walk.run(members, depth + 1, again, where)
            branch = again
        ends.append(branch)
        exhaustive = exhaustive or part == "else"
    if exhaustive and ends:
        state.take(ends.pop())
    for end in ends:
        state.merge(end, walk.environment)


def _parts(commands: Sequence[Command], depth: int) -> Iterator[tuple[str, list[Command]]]:
    members: list[Command] = []
    part = ""
    for command in commands:
        own = command.context[depth].part
        if members and own != part:
            yield part, members
            members = []
        part = own
        members.append(command)
    if members:
        yield part, members


def _values(walk: Walk, frame: Frame, state: State) -> list[Value]:
    """All values of the variable of a for loop; what it iterates over may itself be unknown or a pattern."""
    if frame.words is None:
        return list(state.positional) if state.positional else [Value(None)]
    found: list[Value] = []
    for reading in expand.words(walk, state, frame.words):
        found.extend(Value(value.text, value.known, value.glob, False, False, value.raw) for value in reading)
    return found or [Value("", "")]
