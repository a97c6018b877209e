"""The policy in force in a trusted project: its own for what runs below it, and beside it the person's for what runs elsewhere."""

from __future__ import annotations

from policy.compiled import Compiled, CompiledError
from policy.engine import Engine, Explanation
from policy.model import ACTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.layout import Layout
    from guards.trust import Project
    from policy.model import Reading, Request
    from policy.world import World


class ProjectEngine(Engine):
    """An engine over the project's policy.

    A request with a command that runs outside the project, or with something that could not be read, gets the stricter of both answers.
    """

    root: str
    outer: Engine

    def answered(self, request: Request, world: World) -> Explanation:
        """The answer with what led to it."""
        mine = super().answered(request, world)
        return mine if self._inside(mine.reading, request) else stricter(mine, self.outer.answered(request, world))

    def explain(self, request: Request, world: World) -> Explanation:
        """The same answer, with every fact asked."""
        mine = super().explain(request, world)
        return mine if self._inside(mine.reading, request) else stricter(mine, self.outer.explain(request, world))

    def _inside(self, reading: Reading, request: Request) -> bool:
        if reading.issues:
            return False
        folders = [one.cwd for one in reading.invocations] if request.tool == "shell" else [request.path]
        return all(at is not None and (at == self.root or at.startswith(self.root + "/")) for at in folders)


def stricter(one: Explanation, other: Explanation) -> Explanation:
    """The first unless the second is stricter."""
    return other if ACTIONS.index(other.decision.action) > ACTIONS.index(one.decision.action) else one


def engine(layout: Layout, found: Project, outer: Engine) -> Engine:
    """The engine of a trusted project; its policy is compiled when it is not yet, or a source of it is newer. Raises CompiledError."""
    from guards.trust import compiled

    where = compiled(layout, found)
    try:
        policy = Compiled.load(where)
    except CompiledError as error:
        if not error.stale:
            raise
        from guards.shim.refresh import refresh

        refresh(layout, found.folder)
        policy = Compiled.load(where)
    made = ProjectEngine.of(policy)
    made.root, made.outer = found.folder, outer
    return made
