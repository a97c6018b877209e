"""All rules on all invocations of a request; the strictest finding wins, and the engine's own failures ask. On the hot path."""

from __future__ import annotations

from policy import evaluate
from policy.compiled import Compiled
from policy.model import Decision, Finding, Reading, Request
from policy.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from policy.answer import Again
    from policy.evaluate import Ask, Outcome
    from policy.model import Invocation
    from policy.rules.fact import FactResult, Question
    from policy.world import World


_table: list[Ask] = []


def ask_the_table(name: str, invocation: Invocation, world: World, question: Question, reading: Reading) -> FactResult:
    """One fact's answer by the function that the table of predicates names."""
    if not _table:
        from policy.rules.predicates import ask  # most requests ask nothing, and a long script asks thousands of times

        _table.append(ask)
    return _table[0](name, invocation, world, question, reading)


class Explanation(Record):
    """A decision with everything that led to it: the reading and, for each rule that matched anything, what its facts said."""

    decision: Decision
    reading: Reading
    outcomes: tuple[Outcome, ...]


class Engine:
    """Decides requests by a compiled policy. Pure: everything outside is asked of the World that is handed in."""

    def __init__(self, compiled: Compiled, ask: Ask = ask_the_table) -> None:
        self.compiled = compiled
        self._ask = ask

    @classmethod
    def load(cls, directory: str) -> Self:
        """The engine of the policy compiled into `directory`; raises policy.compiled.CompiledError."""
        return cls(Compiled.load(directory))

    @classmethod
    def of(cls, compiled: Compiled, ask: Ask = ask_the_table) -> Self:
        """An engine over what is already loaded; `ask` answers facts instead of the world (examples)."""
        return cls(compiled, ask)

    def decide(self, request: Request, world: World) -> Decision:
        """The answer to a request. Whatever fails inside becomes an ask that says so."""
        return self.answered(request, world).decision

    def answered(self, request: Request, world: World) -> Explanation:
        """The answer with what led to it; facts that could not have changed it are left unasked."""
        return Explanation(*self._judge(request, world, thorough=False, follow=True))

    def explain(self, request: Request, world: World) -> Explanation:
        """The same answer, with every fact asked: `findings` hold those of all rules, also where they change nothing."""
        return Explanation(*self._judge(request, world, thorough=True, follow=True))

    def _judge(
        self, request: Request, world: World, *, thorough: bool, follow: bool
    ) -> tuple[Decision, Reading, tuple[Outcome, ...]]:
        reading = Reading(())
        outcomes: tuple[Outcome, ...] = ()
        try:
            reading = evaluate.read(request, world, self.compiled)
            case = evaluate.Case(self.compiled, self._ask, request, world, reading)
            outcomes = evaluate.outcomes(case)
            if thorough:
                outcomes = evaluate.everything(case, outcomes)
            if not reading.issues and not any(outcome.findings for outcome in outcomes):
                return Decision(), reading, outcomes
            from policy import answer

            again = self._again(world) if follow else None
            decision = answer.decide(case, outcomes, again)
        except Exception as error:  # noqa: BLE001  -- nothing that fails inside may end in silence
            from policy import answer

            decision = answer.failure(error)
        return decision, reading, outcomes

    def _again(self, world: World) -> Again:
        """Judges another text in the same world, without what it suggests in turn."""
        return lambda request: self._judge(request, world, thorough=False, follow=False)[0]


__all__ = ["Decision", "Engine", "Explanation", "Finding", "Request"]
