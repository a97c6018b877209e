"""From a Request to all invocations that it would cause: parses, follows the flow, unwraps every launcher."""

from __future__ import annotations

from policy.flow.state import Spent, State
from policy.flow.walk import Walk
from policy.flow.where import Where
from policy.model import Effect, Invocation, Reading, Value
from policy.programs.paths import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy.model import Request
    from policy.programs import Grammars
    from policy.world import World

ROUND = 400
"""How many starts apart the same start is compared with an earlier one."""
FILE_TOOLS = {"write": "write", "edit": "write", "read": "read"}


def read(request: Request, world: World, grammars: Grammars) -> Reading:
    """Every program start that the request would cause, in order as far as it is known, and what could not be read.

    Nothing is run and nothing is guessed: a word that is not known stays unknown. Work is bounded; a bound that is met is an Issue.
    """
    if request.tool in FILE_TOOLS:
        return Reading((_file_tool(request),))
    walk = Walk(request, world, grammars)
    state, where = State(request.cwd), Where()
    try:
        if request.argv is not None:
            walk.start([Value(text, text, quoted=True, raw=text) for text in request.argv], state, where)
        else:
            walk.script(request.text, state, where, top=True)
    except Spent:
        pass
    except RecursionError:
        walk.issue("shell/too-deep", "commands inside commands", where)
    return Reading(tuple(_started(walk.out)), tuple(walk.issues), walk.top, walk.steps, walk.texts)


def _started(made: Sequence[Invocation]) -> Iterator[Invocation]:
    """The invocations in order, without those that bring nothing new.

    What only reads or prints does so once. What changes something is met in another state each time, unless between its last start and this
    one the same has been started, in the same order, as before one of its earlier starts.
    """
    numbers: dict[Invocation, int] = {}
    last: dict[int, int] = {}
    met: set[tuple[int, ...]] = set()
    changes: list[int] = []
    for one in made:
        number = numbers.setdefault(one, len(numbers))
        if number in last:
            if one.inert and not one.redirects:
                continue
            if len(changes) - last[number] <= ROUND:
                key = (number, *dict.fromkeys(changes[last[number] :]))
                if key in met:
                    continue
                met.add(key)
        last[number] = len(changes)
        changes.append(number)
        yield one


def _file_tool(request: Request) -> Invocation:
    path = request.path or ""
    if path[:2] == "~/" and request.home:
        path = request.home + path[1:]
    value = Value(path, path, quoted=True)
    kind = FILE_TOOLS[request.tool]
    effect = Effect(kind, absolute(path, request.cwd), value=value, source="tool")
    return Invocation(
        program="@" + request.tool,
        words=(Value("@" + request.tool, "@" + request.tool), value),
        operands=(value,),
        effects=(effect,),
        cwd=request.cwd,
        stdin=request.content,
        inert=kind == "read",
    )
