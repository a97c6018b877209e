"""Pipelines: what one member prints is what the next one reads, and each knows its neighbours' names."""

from __future__ import annotations

from policy.flow.nesting import joined_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy.flow.state import State
    from policy.flow.walk import Walk
    from policy.flow.where import Where
    from policy.model import Command, Value


def run(walk: Walk, commands: Sequence[Command], depth: int, state: State, where: Where) -> None:
    """Walk the members in order. `piped_from` and `piped_to` name every program up and down the pipe, nearest last and first."""
    members: dict[str, list[Command]] = {}
    for command in commands:
        members.setdefault(command.context[depth].name, []).append(command)
    outer = walk.printed
    stdin: Value | None = where.stdin
    ranges: list[tuple[int, int]] = []
    upstream = where.piped_from
    for name in sorted(members, key=int):
        inner = where.copy()
        if ranges:
            inner.stdin, inner.stdin_path = stdin, None
            inner.piped_from = upstream
        walk.printed = []
        first = len(walk.out)
        own = state.copy()
        walk.run(members[name], depth + 1, own, inner)
        ranges.append((first, len(walk.out)))
        stdin = joined_output(walk.printed)
        names = _names(walk, *ranges[-1])
        upstream = (*(name for name in upstream if name not in names), *names)
    if walk.lastpipe or walk.request.dialect == "zsh":
        state.take(own)
    walk.printed = outer
    if outer is not None:
        outer.extend([stdin] if stdin is not None else [])
    _downstream(walk, ranges)


def _names(walk: Walk, first: int, last: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(walk.out[index].program for index in range(first, last)))


def _downstream(walk: Walk, ranges: list[tuple[int, int]]) -> None:
    names: tuple[str, ...] = ()
    for first, last in reversed(ranges):
        if names:
            for index in range(first, last):
                invocation = walk.out[index]
                walk.out[index] = invocation.replace(piped_to=invocation.piped_to + names)
        own = _names(walk, first, last)
        names = (*own, *(name for name in names if name not in own))
